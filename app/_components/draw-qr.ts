/** The text as a QR code, drawn in the page: no other site sees it. */
export async function drawQr(text: string): Promise<string> {
  const { renderSVG } = await import('uqr');
  return `data:image/svg+xml,${encodeURIComponent(renderSVG(text))}`;
}
