/** The words of the deposits page. */
export const enDeposits = {
  title: 'Deposits',
  lead: 'Coins that you send to your address are credited after enough blocks confirm them.',
  choose: 'What will you send?',
  asset: 'Asset',
  chooseAsset: 'Choose an asset',
  network: 'Network',
  chooseNetwork: 'Choose a network',
  networkFirst: 'Choose the asset first.',
  networkHint: 'Send on this network only. On another one the coins would be lost.',
  networkOnly: (asset: string, network: string) => `${asset} comes in on ${network} only.`,
  address: (asset: string, network: string) => `Your ${asset} address on ${network}`,
  addressWhat: 'address',
  picture: (network: string) => `QR code of your address on ${network}`,
  memo: 'Destination tag',
  memoWhat: 'destination tag',
  memoNeeded: 'Send it with the tag. The address is shared; only the tag says that the coins are yours.',
  confirmations: (count: number) =>
    count === 1 ? 'Credited after 1 confirmation.' : `Credited after ${count} confirmations.`,
  none: (network: string) => `There is no deposit address on ${network}.`,
  noneMore: 'Choose another network, or another asset.',
  watched: (network: string) => `${network} here is a local chain`,
  watchedMore:
    'Its blocks are real and read by us, its coins are worth nothing. Never send real coins to this address.',
  simulated: (network: string) => `${network} is simulated`,
  simulatedMore:
    'Nobody reads its blocks here: what is sent to this address is never credited. Never send real coins to it.',
  simulatedWatched:
    'Its blocks are made up, and read by us as real ones are: what arrives is credited. Its coins are worth nothing. Never send real coins to this address.',
  faucet: 'No coins to send?',
  faucetMore: (asset: string, network: string) =>
    `The faucet pays ${asset} to your address on ${network} as it is here, so that you can watch a deposit.`,
  faucetPress: (asset: string) => `Send me ${asset}`,
  faucetBusy: 'Sending…',
  faucetDone: (amount: string, asset: string) =>
    `${amount} ${asset} are on their way. They show below with their first block.`,
  faucetFailed:
    'The faucet did not answer. Nothing is known to be sent; look at the list below before you press again.',
  history: 'Your deposits',
  empty: 'No deposits yet.',
  pending: (confirmations: number, required: number) => `Pending ${confirmations}/${required}`,
  pendingMore: (left: number) => (left === 1 ? '1 more confirmation' : `${left} more confirmations`),
  credited: 'Credited',
  seen: 'Seen',
  transaction: 'Transaction',
  transactionWhat: 'transaction hash',
  news: (pending: number, credited: number) => `${pending} pending, ${credited} credited.`,
};

export type DepositWords = typeof enDeposits;
