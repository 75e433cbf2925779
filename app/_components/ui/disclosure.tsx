'use client';

import { ChevronRight } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import { type ReactNode, useState } from 'react';

/** A heading that opens its content. The content is mounted on opening, so that what it asks for is asked for then. */
export function Disclosure({ title, children }: { title: string; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <Collapsible.Root open={open} onOpenChange={setOpen} className="rounded-2xl border border-line bg-surface">
      <h2>
        <Collapsible.Trigger className="group flex min-h-13 w-full items-center justify-between gap-3 rounded-2xl px-5 text-left font-semibold hover:bg-raised sm:px-6">
          {title}
          <ChevronRight
            aria-hidden="true"
            className="size-5 text-muted transition-transform group-data-[state=open]:rotate-90"
          />
        </Collapsible.Trigger>
      </h2>
      <Collapsible.Content className="border-line border-t px-5 py-5 sm:px-6">{children}</Collapsible.Content>
    </Collapsible.Root>
  );
}
