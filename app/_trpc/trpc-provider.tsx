'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createTRPCClient, httpLink } from '@trpc/client';
import { createTRPCContext } from '@trpc/tanstack-react-query';
import { type ReactNode, useState } from 'react';
import type { AppRouter } from '#server/api/root.ts';
import { fetchWithDeadline } from './fetch-with-deadline.ts';
import { readApiError } from './read-api-error.ts';

export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

/** The one client and cache of a page; a full page load at sign-in and sign-out starts a new one. */
export function ApiProvider({ children }: { children: ReactNode }) {
  const [queryClient] = useState(makeQueryClient);
  const [client] = useState(makeClient);
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={client} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}

function makeClient() {
  return createTRPCClient<AppRouter>({
    links: [
      // Not batched: a slow list must not hold up the answer to a request that carries money.
      httpLink({
        url: '/api/trpc',
        fetch: fetchWithDeadline,
        headers: ({ op }) => {
          const key = op.context.idempotencyKey;
          return typeof key === 'string' ? { 'idempotency-key': key } : {};
        },
      }),
    ],
  });
}

function makeQueryClient() {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // 'always': being offline is our message to give, never a silent pause.
        networkMode: 'always',
        // In that mode nothing is asked for anew by itself when the connection is back; a page says that it is old until it is.
        refetchOnReconnect: 'always',
        staleTime: 5_000,
        retry: (failures, error) => readApiError(error).kind === 'silent' && failures < 2,
      },
      mutations: { networkMode: 'always', retry: 0 },
    },
  });
}
