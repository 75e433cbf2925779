import { useEffect, useState } from 'react';
import { drawQr } from '../../../_components/draw-qr.ts';
import { Skeleton } from '../../../_components/ui/skeleton.tsx';

/** The text as a QR code: dark on white in every theme, because many a camera reads no other. */
export function AddressPicture({ text, alt }: { text: string; alt: string }) {
  const [drawn, setDrawn] = useState<{ text: string; picture: string } | null>(null);
  useEffect(() => {
    let isWanted = true;
    drawQr(text).then((picture) => {
      if (isWanted) setDrawn({ text, picture });
    });
    return () => {
      isWanted = false;
    };
  }, [text]);
  // The picture of another address is worse than none.
  if (drawn === null || drawn.text !== text) return <Skeleton className="size-44" />;
  return (
    // biome-ignore lint/performance/noImgElement: a picture drawn in the page has nothing to be loaded.
    <img src={drawn.picture} alt={alt} className="size-44 rounded-xl border border-line bg-white p-2" />
  );
}
