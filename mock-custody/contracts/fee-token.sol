// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./dollar-token.sol";

/// Keeps one per cent of every transfer: what arrives is less than what was sent, and a reader of logs must notice.
contract FeeToken is DollarToken {
    constructor(string memory tokenName, string memory tokenSymbol) DollarToken(tokenName, tokenSymbol) {}

    function _transfer(address from, address to, uint256 amount) internal override {
        uint256 fee = amount / 100;
        super._transfer(from, owner(), fee);
        super._transfer(from, to, amount - fee);
    }
}
