// The first accounts of every Anvil and Hardhat chain: published, funded on a dev chain, worth nothing anywhere else.

/** Deploys the token contracts. */
export const DEPLOYER_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
/** Custody pays from it. */
export const HOT_WALLET_KEY = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';
