// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// The reading half of ERC-20, with balances that a test sets.
contract Erc20 {
    uint8 public immutable decimals;
    mapping(address => uint256) public balanceOf;

    constructor(uint8 places) {
        decimals = places;
    }

    function set(address owner, uint256 amount) external {
        balanceOf[owner] = amount;
    }
}

/// The reading half of ERC-721: like the real ones it refuses to tell the owner of what does not exist.
contract Erc721 {
    mapping(uint256 => address) private owners;
    mapping(address => uint256) public balanceOf;

    function give(address to, uint256 id) external {
        address from = owners[id];
        if (from != address(0)) balanceOf[from] -= 1;
        owners[id] = to;
        balanceOf[to] += 1;
    }

    function ownerOf(uint256 id) external view returns (address owner) {
        owner = owners[id];
        require(owner != address(0), "no such token");
    }
}

/// The reading half of ERC-1155.
contract Erc1155 {
    mapping(address => mapping(uint256 => uint256)) public balanceOf;

    function set(address owner, uint256 id, uint256 amount) external {
        balanceOf[owner][id] = amount;
    }
}

/// Burns all gas it is given, whatever it is asked.
contract Furnace {
    fallback() external {
        while (true) {}
    }
}

/// The two functions of Multicall3 that the service uses.
contract Multicall {
    struct Call {
        address target;
        bytes callData;
    }
    struct Result {
        bool success;
        bytes returnData;
    }

    function tryBlockAndAggregate(bool requireSuccess, Call[] calldata calls)
        external
        payable
        returns (uint256 blockNumber, bytes32 blockHash, Result[] memory returnData)
    {
        blockNumber = block.number;
        blockHash = blockhash(block.number);
        returnData = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            (bool success, bytes memory data) = calls[i].target.call(calls[i].callData);
            require(success || !requireSuccess, "call failed");
            returnData[i] = Result(success, data);
        }
    }

    function getEthBalance(address owner) external view returns (uint256) {
        return owner.balance;
    }
}
