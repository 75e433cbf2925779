/** The value of a JSON text; null where it is none, which no schema of ours takes for a value. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
