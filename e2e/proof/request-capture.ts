export interface RequestCapture {
  /** Bytes of the client's. */
  sent(chunk: Buffer): void;
  /** The server answers: what the client sends next is another request. */
  answered(): void;
}

// Longer than any request of ours; another protocol than HTTP is not collected at all.
const REQUEST_BYTES_MAX = 65_536;
const HEAD_END = '\r\n\r\n';

/** Collects the bytes of each HTTP request that makes a transfer, as they passed, and hands them over once it is whole. */
export function createRequestCapture(onRequest: (bytes: Buffer, key: string | null) => void): RequestCapture {
  let collected: Buffer[] | null = [];
  return {
    sent(chunk) {
      if (collected === null) return;
      collected.push(chunk);
      const bytes = Buffer.concat(collected);
      const isTransfer = bytes.subarray(0, 19).toString('latin1').startsWith('POST /v1/transfers ');
      if (!isTransfer || bytes.length > REQUEST_BYTES_MAX) {
        collected = null;
        return;
      }
      const headEnd = bytes.indexOf(HEAD_END);
      if (headEnd === -1) return;
      const head = bytes.subarray(0, headEnd).toString('latin1');
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? '0');
      if (bytes.length < headEnd + HEAD_END.length + length) return;
      collected = null;
      onRequest(bytes, /\r\nidempotency-key: *([^\r\n]+)/i.exec(head)?.[1] ?? null);
    },
    answered() {
      collected = [];
    },
  };
}
