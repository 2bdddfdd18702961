// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// What is asked of the registry of ENS (EIP-137).
contract NameRegistry {
    mapping(bytes32 => address) public owner;

    function setOwner(bytes32 node, address who) external {
        owner[node] = who;
    }
}

/// What is asked of the contract that wraps domains.
contract NameWrapper {
    mapping(uint256 => address) public ownerOf;

    function set(uint256 id, address who) external {
        ownerOf[id] = who;
    }
}

/// A resolver whose records are off the chain (ERC-3668, ENSIP-10): it believes what `signer` has signed for it.
contract OffchainNames {
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);

    string private url;
    address private immutable signer;

    constructor(string memory gateway, address trusted) {
        url = gateway;
        signer = trusted;
    }

    function resolve(bytes calldata name, bytes calldata data) external view returns (bytes memory) {
        bytes memory question = abi.encodeWithSelector(this.resolve.selector, name, data);
        string[] memory urls = new string[](1);
        urls[0] = url;
        revert OffchainLookup(address(this), urls, question, this.resolveWithProof.selector, question);
    }

    function resolveWithProof(bytes calldata response, bytes calldata question) external view returns (bytes memory) {
        (bytes memory result, uint64 expires, bytes memory signature) = abi.decode(response, (bytes, uint64, bytes));
        require(expires >= block.timestamp, "expired");
        bytes32 signed = keccak256(
            abi.encodePacked(hex"1900", address(this), expires, keccak256(question), keccak256(result))
        );
        require(signature.length == 65, "length");
        (bytes32 r, bytes32 s) = (bytes32(0), bytes32(0));
        assembly {
            r := mload(add(signature, 32))
            s := mload(add(signature, 64))
        }
        address by = ecrecover(signed, uint8(signature[64]), r, s);
        require(by != address(0) && by == signer, "signer");
        return result;
    }
}
