import { GeistMono } from 'geist/font/mono';
import { GeistSans } from 'geist/font/sans';
import type { Metadata, Viewport } from 'next';
import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { LanguageProvider } from './_words/language-provider.tsx';
import { readLanguage, readWords } from './_words/read-words.ts';
import './globals.css';

export async function generateMetadata(): Promise<Metadata> {
  const { site } = await readWords();
  return {
    title: { default: site.name, template: `%s · ${site.name}` },
    description: site.description,
    icons: { icon: '/icon.svg' },
  };
}

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f5f6f8' },
    { media: '(prefers-color-scheme: dark)', color: '#0a0c11' },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Read on the server, so that no inline script has to set the theme before the first paint.
  const chosen = (await cookies()).get('theme')?.value;
  const theme = chosen === 'dark' || chosen === 'light' ? chosen : undefined;
  const [language, { site }] = await Promise.all([readLanguage(), readWords()]);
  return (
    <html lang={language} data-theme={theme} className={`${GeistSans.variable} ${GeistMono.variable}`}>
      <body className="min-h-dvh">
        <a
          href="#main"
          className="sr-only z-50 rounded-lg bg-accent px-4 py-3 font-medium text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
        >
          {site.skip}
        </a>
        <LanguageProvider language={language}>{children}</LanguageProvider>
      </body>
    </html>
  );
}
