// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// Two transfers in one transaction: two log entries that only their place in the receipt tells apart.
contract DoublePayer {
    function payTwice(IERC20 token, address to, uint256 amount) external {
        require(token.transferFrom(msg.sender, to, amount), "first transfer");
        require(token.transferFrom(msg.sender, to, amount), "second transfer");
    }
}
