/** How often a form and a review ask for the fee again: it moves with the network's load, and a minute-old one would often be refused. */
export const QUOTE_REFRESH_MS = 20_000;
