import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

const SHAPE =
  'inline-flex items-center justify-center gap-2 rounded-xl text-center font-medium transition-colors select-none aria-disabled:opacity-70 aria-disabled:cursor-default';
const VARIANTS = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'border border-line bg-surface text-ink hover:bg-raised',
  quiet: 'text-accent hover:bg-accent-soft',
  danger: 'border border-bad/40 bg-surface text-bad hover:bg-bad-soft',
};
const SIZES = {
  large: 'min-h-13 w-full px-6 text-base',
  medium: 'min-h-11 px-4 text-sm',
  small: 'min-h-8 px-2.5 text-sm',
};

type ButtonProps = Omit<ComponentProps<'button'>, 'disabled'> & {
  variant?: keyof typeof VARIANTS;
  size?: keyof typeof SIZES;
  /** Shown as busy and ignores nothing by itself: the handler decides. It keeps the focus, unlike a disabled button. */
  busy?: boolean;
  asChild?: boolean;
};

export function Button({
  variant = 'secondary',
  size = 'medium',
  busy = false,
  asChild = false,
  type = 'button',
  className,
  ...rest
}: ButtonProps) {
  const classes = classNames(SHAPE, VARIANTS[variant], SIZES[size], className);
  if (asChild) return <Slot.Root className={classes} {...rest} />;
  const state = busy ? { 'aria-busy': true, 'aria-disabled': true } : {};
  return <button type={type} className={classes} {...state} {...rest} />;
}
