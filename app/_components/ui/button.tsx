import Link from 'next/link';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

const SHAPE =
  'inline-flex items-center justify-center gap-2 rounded-xl text-center font-medium transition-colors select-none aria-disabled:opacity-70 aria-disabled:cursor-default';
// A border on each, if only a clear one: forced colours take the fills away and draw the borders.
const VARIANTS = {
  primary: 'border border-transparent bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'border border-line bg-surface text-ink hover:bg-raised',
  quiet: 'border border-transparent text-accent hover:bg-accent-soft',
  danger: 'border border-bad/40 bg-surface text-bad hover:bg-bad-soft',
};
const SIZES = {
  large: 'min-h-13 w-full px-6 text-base',
  medium: 'min-h-11 px-4 text-sm',
  small: 'min-h-8 pointer-coarse:min-h-11 px-2.5 text-sm',
};

type Look = { variant?: keyof typeof VARIANTS; size?: keyof typeof SIZES };

type ButtonProps = Omit<ComponentProps<'button'>, 'disabled'> &
  Look & {
    /** Shown as busy and ignores nothing by itself: the handler decides. It keeps the focus, unlike a disabled button. */
    busy?: boolean;
  };

export function Button({ variant, size, busy = false, type = 'button', className, ...rest }: ButtonProps) {
  const state = busy ? { 'aria-busy': true, 'aria-disabled': true } : {};
  return <button type={type} className={buttonLook({ variant, size }, className)} {...state} {...rest} />;
}

/** A link that looks like a button. Nothing is fetched ahead: a page is asked for when somebody goes there. */
export function ButtonLink({ variant, size, className, ...rest }: ComponentProps<typeof Link> & Look) {
  return <Link prefetch={false} className={buttonLook({ variant, size }, className)} {...rest} />;
}

function buttonLook({ variant = 'secondary', size = 'medium' }: Look, className: string | undefined): string {
  return classNames(SHAPE, VARIANTS[variant], SIZES[size], className);
}
