import type { DepositWords } from './en-deposits.ts';

/** Die Wörter der Seite für Einzahlungen. */
export const deDeposits: DepositWords = {
  title: 'Einzahlungen',
  lead: 'Coins, die Sie an Ihre Adresse senden, werden gutgeschrieben, sobald genug Blöcke sie bestätigen.',
  choose: 'Was werden Sie senden?',
  asset: 'Coin',
  chooseAsset: 'Coin wählen',
  network: 'Netzwerk',
  chooseNetwork: 'Netzwerk wählen',
  networkFirst: 'Wählen Sie zuerst den Coin.',
  networkHint: 'Senden Sie nur über dieses Netzwerk. Über ein anderes wären die Coins verloren.',
  networkOnly: (asset, network) => `${asset} kommt nur über ${network} an.`,
  address: (asset, network) => `Ihre ${asset}-Adresse auf ${network}`,
  addressWhat: 'Adresse',
  picture: (network) => `QR-Code Ihrer Adresse auf ${network}`,
  memo: 'Destination Tag',
  memoWhat: 'Destination Tag',
  memoNeeded: 'Senden Sie mit dem Tag. Die Adresse ist gemeinsam; nur das Tag sagt, dass die Coins Ihnen gehören.',
  confirmations: (count) =>
    count === 1 ? 'Gutgeschrieben nach 1 Bestätigung.' : `Gutgeschrieben nach ${count} Bestätigungen.`,
  none: (network) => `Auf ${network} gibt es keine Einzahlungsadresse.`,
  noneMore: 'Wählen Sie ein anderes Netzwerk oder einen anderen Coin.',
  watched: (network) => `${network} ist hier eine lokale Chain`,
  watchedMore:
    'Ihre Blöcke sind echt und werden von uns gelesen, ihre Coins sind nichts wert. Senden Sie nie echte Coins an diese Adresse.',
  simulated: (network) => `${network} wird simuliert`,
  simulatedMore:
    'Niemand liest hier seine Blöcke: Was an diese Adresse geht, wird nie gutgeschrieben. Senden Sie nie echte Coins dorthin.',
  simulatedWatched:
    'Seine Blöcke sind erfunden und werden von uns gelesen wie echte: Was ankommt, wird gutgeschrieben. Seine Coins sind nichts wert. Senden Sie nie echte Coins an diese Adresse.',
  faucet: 'Keine Coins zum Senden?',
  faucetMore: (asset, network) =>
    `Der Faucet zahlt ${asset} an Ihre Adresse auf ${network}, wie es hier läuft, damit Sie einer Einzahlung zusehen können.`,
  faucetPress: (asset) => `${asset} an mich senden`,
  faucetBusy: 'Wird gesendet…',
  faucetDone: (amount, asset) => `${amount} ${asset} sind unterwegs. Sie erscheinen unten mit ihrem ersten Block.`,
  faucetFailed:
    'Der Faucet hat nicht geantwortet. Ob gesendet wurde, ist nicht bekannt; sehen Sie in die Liste unten, bevor Sie noch einmal drücken.',
  history: 'Ihre Einzahlungen',
  empty: 'Noch keine Einzahlungen.',
  pending: (confirmations, required) => `Ausstehend ${confirmations}/${required}`,
  pendingMore: (left) => (left === 1 ? 'noch 1 Bestätigung' : `noch ${left} Bestätigungen`),
  credited: 'Gutgeschrieben',
  seen: 'Gesehen',
  transaction: 'Transaktion',
  transactionWhat: 'Transaktions-Hash',
  news: (pending, credited) => `${pending} ausstehend, ${credited} gutgeschrieben.`,
};
