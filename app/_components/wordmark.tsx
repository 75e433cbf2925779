/** The name with its sign; the sign is decoration. */
export function Wordmark() {
  return (
    <>
      <svg viewBox="0 0 32 32" aria-hidden="true" className="size-7">
        <rect width="32" height="32" rx="9" className="fill-accent" />
        <path
          d="M10 20.5 20.5 10M12.5 9.5h9v9"
          fill="none"
          strokeWidth="3"
          strokeLinecap="round"
          strokeLinejoin="round"
          className="stroke-on-accent"
        />
      </svg>
      <span className="font-semibold text-lg tracking-tight">CryptoEx</span>
    </>
  );
}
