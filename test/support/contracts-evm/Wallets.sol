// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

bytes4 constant MAGIC = 0x1626ba7e;

/// A wallet of ERC-1271 with one key.
contract Wallet {
    address public owner;

    constructor(address first) {
        owner = first;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        require(signature.length == 65, "length");
        bytes32 r = bytes32(signature[0:32]);
        bytes32 s = bytes32(signature[32:64]);
        return ecrecover(hash, uint8(signature[64]), r, s) == owner && owner != address(0) ? MAGIC : bytes4(0xffffffff);
    }
}

/// A wallet that lets anybody become its owner, as one that was deployed and never set up does.
contract OpenWallet is Wallet(address(0)) {
    function initialize(address first) external {
        owner = first;
    }
}

/// Makes wallets at addresses that are known before.
contract WalletFactory {
    function make(address owner, bytes32 salt) external returns (address) {
        return address(new Wallet{salt: salt}(owner));
    }
}

/// Returns whatever it is sent, and so the selector of `isValidSignature`, which is the magic value.
contract Echo {
    fallback(bytes calldata input) external returns (bytes memory) {
        return input;
    }
}

/// Answers yes in other words.
contract YesMan {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bool) {
        return true;
    }
}

/// Sends whoever asks to an address of its choice (ERC-3668).
contract Lookup {
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);

    string private url;

    constructor(string memory where) {
        url = where;
    }

    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        string[] memory urls = new string[](1);
        urls[0] = url;
        revert OffchainLookup(address(this), urls, "", this.answer.selector, "");
    }

    function answer(bytes calldata, bytes calldata) external pure returns (bytes4) {
        return MAGIC;
    }
}
