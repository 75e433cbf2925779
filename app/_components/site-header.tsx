'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { Language } from '#domain/language.ts';
import { usePerson } from '../_session/person-context.tsx';
import { useTRPCClient } from '../_trpc/trpc-provider.tsx';
import { useWords } from '../_words/use-words.ts';
import { LanguageSwitch } from './language-switch.tsx';
import { SignOutButton } from './sign-out-button.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import { classNames } from './ui/class-names.ts';
import { Wordmark } from './wordmark.tsx';

export type NavigationItem = { href: string; label: string; exact?: boolean };

export function SiteHeader({ items, area }: { items: NavigationItem[]; area?: string }) {
  const { site } = useWords();
  const { name } = usePerson();
  const client = useTRPCClient();
  const keepLanguage = (language: Language) => client.account.setLanguage.mutate({ language });
  const path = usePathname();
  return (
    <header className="border-line border-b bg-surface">
      {/* As wide as the page below it. */}
      <div
        className={classNames(
          'mx-auto flex flex-wrap items-center gap-x-6 px-4 sm:px-6',
          area === undefined ? 'max-w-6xl' : 'max-w-[90rem]',
        )}
      >
        <Link href="/" prefetch={false} className="flex min-h-14 items-center gap-2">
          <Wordmark />
          {area && <span className="rounded-md bg-raised px-1.5 py-0.5 font-medium text-muted text-xs">{area}</span>}
        </Link>
        {items.length > 0 && (
          <nav
            aria-label={site.mainNavigation}
            className="order-last flex w-full flex-wrap gap-x-1 lg:order-none lg:w-auto"
          >
            {items.map((item) => {
              const here = item.exact ? path === item.href : path === item.href || path.startsWith(`${item.href}/`);
              return (
                <Link
                  key={item.href}
                  href={item.href}
                  prefetch={false}
                  aria-current={here ? 'page' : undefined}
                  className={classNames(
                    'inline-flex min-h-11 min-w-11 items-center justify-center border-b-2 px-2 font-medium text-sm lg:min-h-14',
                    here
                      ? 'border-accent text-ink forced-colors:border-[Highlight]'
                      : 'border-transparent text-muted hover:text-ink forced-colors:border-[Canvas]',
                  )}
                >
                  {item.label}
                </Link>
              );
            })}
          </nav>
        )}
        <div className="ml-auto flex items-center gap-1">
          <span className="hidden max-w-40 truncate px-2 text-muted text-sm xl:block">{name}</span>
          {area === undefined && <LanguageSwitch onChoose={keepLanguage} />}
          <ThemeSwitch />
          <SignOutButton />
        </div>
      </div>
    </header>
  );
}
