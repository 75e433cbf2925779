/** Shows what the address names after its `#` once it is drawn: a page that fetches its rows has it too late for the browser. */
export function bringIntoView(element: HTMLElement | null): void {
  if (element !== null && window.location.hash === `#${element.id}`) element.scrollIntoView();
}
