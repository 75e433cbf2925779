/** For signing the events of the bench's own provider. */
export const BENCH_WEBHOOK_SECRET = `whsec_${Buffer.from('thirty-two bytes for the bench..').toString('base64')}`;
