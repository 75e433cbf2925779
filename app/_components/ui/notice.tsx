import { CircleCheck, CircleX, Info, TriangleAlert } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';

const TONES = {
  info: { look: 'border-accent/30 bg-accent-soft', icon: Info, ink: 'text-accent' },
  good: { look: 'border-good/30 bg-good-soft', icon: CircleCheck, ink: 'text-good' },
  warn: { look: 'border-warn/40 bg-warn-soft', icon: TriangleAlert, ink: 'text-warn' },
  bad: { look: 'border-bad/40 bg-bad-soft', icon: CircleX, ink: 'text-bad' },
};

type NoticeProps = Omit<ComponentProps<'div'>, 'title'> & { tone: keyof typeof TONES; title: ReactNode };

/** A message with icon, words and colour; colour alone says nothing. */
export function Notice({ tone, title, children, className, ...rest }: NoticeProps) {
  const { look, icon: Icon, ink } = TONES[tone];
  return (
    <div className={classNames('settle-in flex gap-3 rounded-xl border p-4', look, className)} {...rest}>
      <Icon aria-hidden="true" className={classNames('mt-0.5 size-5 shrink-0', ink)} />
      <div className="min-w-0 flex-1 space-y-2 text-sm [overflow-wrap:anywhere]">
        <p className="font-semibold text-[0.95rem]">{title}</p>
        {children}
      </div>
    </div>
  );
}
