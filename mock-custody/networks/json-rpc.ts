import { z } from 'zod';
import { postText } from '../post-text.ts';

const reply = z.object({
  id: z.number(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
});
export type RpcReply = z.infer<typeof reply>;
export type RpcCall = { method: string; params: readonly unknown[] };

// 5 s: a node on the same network answers in milliseconds; a silent one must not hold the lane for longer.
const TIMEOUT_MS = 5_000;

export type JsonRpc = {
  /** The result, or an error naming the method. */
  call(method: string, params: readonly unknown[]): Promise<unknown>;
  /** One HTTP request; replies in the order of the calls, errors as values. */
  batch(calls: readonly RpcCall[]): Promise<RpcReply[]>;
};

export function openJsonRpc(url: string): JsonRpc {
  async function post(body: unknown): Promise<unknown> {
    const { text } = await postText({ url, headers: {}, body: JSON.stringify(body), timeoutMs: TIMEOUT_MS });
    return JSON.parse(text);
  }

  async function batch(calls: readonly RpcCall[]): Promise<RpcReply[]> {
    if (calls.length === 0) return [];
    const sent = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }));
    const replies = new Map(
      z
        .array(reply)
        .parse(await post(sent))
        .map((entry) => [entry.id, entry]),
    );
    return sent.map(({ id }) => {
      const found = replies.get(id);
      if (found === undefined) throw new Error('the chain left a call of a batch unanswered');
      return found;
    });
  }

  return {
    batch,
    async call(method, params) {
      const answer = reply.parse(await post({ jsonrpc: '2.0', id: 0, method, params }));
      if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
      return answer.result;
    },
  };
}
