'use client';

import { useState } from 'react';
import { Button } from '../../../_components/ui/button.tsx';
import { Notice } from '../../../_components/ui/notice.tsx';
import { useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { useWords } from '../../../_words/use-words.ts';

type Said = { tone: 'good' | 'bad' | 'info'; text: string; end?: { seq: string; hash: string } };

/** Reads the whole chain, part by part, each from where the one before it ended; and names its end, for whoever keeps it elsewhere. */
export function AuditVerification() {
  const { audit } = useRoomWords();
  const { site } = useWords();
  const { operator } = useTRPCClient();
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<Said | null>(null);
  const read = async (): Promise<Said> => {
    let place = { afterSeq: '0', afterHash: '' };
    for (let rows = 0; ; ) {
      const part = await operator.audit.verify.query(place);
      if (part.firstBreak !== null) return { tone: 'bad', text: audit.broken(part.firstBreak) };
      rows += part.rows;
      place = { afterSeq: part.throughSeq, afterHash: part.throughHash };
      if (!part.more) {
        const said: Said = { tone: 'good', text: audit.holds(rows) };
        return rows === 0 ? said : { ...said, end: { seq: part.throughSeq, hash: part.throughHash } };
      }
      setSaid({ tone: 'info', text: audit.verifying(rows) });
    }
  };
  const verify = async () => {
    if (busy) return;
    setBusy(true);
    try {
      setSaid(await read());
    } catch {
      // Nothing was said about the chain.
      setSaid({ tone: 'bad', text: site.couldNotLoad });
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="space-y-3">
      <Button busy={busy} onClick={() => void verify()}>
        {audit.verify}
      </Button>
      <div role="status">
        {said !== null && (
          <Notice tone={said.tone} title={said.text}>
            {said.end !== undefined && (
              <p>
                {audit.ends(said.end.seq)} <span className="select-all break-all font-mono">{said.end.hash}</span>
              </p>
            )}
          </Notice>
        )}
      </div>
    </div>
  );
}
