// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// ERC-20 as applications know it.
contract Coin {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    string public name;
    string public symbol;
    uint8 public constant decimals = 6;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    constructor(string memory word, string memory ticker) {
        name = word;
        symbol = ticker;
    }

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        require(allowance[from][msg.sender] >= amount, "not allowed");
        allowance[from][msg.sender] -= amount;
        move(from, to, amount);
        return true;
    }

    function move(address from, address to, uint256 amount) private {
        require(balanceOf[from] >= amount, "not enough coins");
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}

/// Gives three of the smallest unit of a coin for each gwei, and takes coins back.
contract Pool {
    Coin private immutable coin;

    constructor(Coin traded) payable {
        coin = traded;
    }

    function buy() external payable {
        coin.transfer(msg.sender, (msg.value / 1 gwei) * 3);
    }

    function sell(uint256 amount) external {
        coin.transferFrom(msg.sender, address(this), amount);
        (bool sent, ) = msg.sender.call{value: (amount / 3) * 1 gwei}("");
        require(sent, "nobody takes the money");
    }

    /// Fails within, after the coins have moved, and goes on without.
    function trySelling(uint256 amount) external {
        try this.failingSale(msg.sender, amount) {} catch {}
    }

    function failingSale(address seller, uint256 amount) external {
        coin.transferFrom(seller, address(this), amount);
        revert("changed my mind");
    }
}

/// ERC-721, as far as it moves.
contract Collectible {
    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    string public constant name = "Collectible";
    string public constant symbol = "CLB";
    mapping(uint256 => address) public ownerOf;

    function give(address to, uint256 id) external {
        ownerOf[id] = to;
        emit Transfer(address(0), to, id);
    }

    function transferFrom(address from, address to, uint256 id) external {
        require(ownerOf[id] == from && msg.sender == from, "not yours");
        ownerOf[id] = to;
        emit Transfer(from, to, id);
    }

    function setApprovalForAll(address operator, bool approved) external {
        emit ApprovalForAll(msg.sender, operator, approved);
    }
}

/// Refuses in each of the ways there are.
contract Refusals {
    error Unfit(uint256 limit);

    function inWords() external pure {
        revert("the shop is closed");
    }

    function inCode() external pure {
        revert Unfit(7);
    }

    function byPanic(uint256 divisor) external pure returns (uint256) {
        return 1 / divisor;
    }

    function silently() external pure {
        revert();
    }
}

struct PackedUserOperation {
    address sender;
    uint256 nonce;
    bytes initCode;
    bytes callData;
    bytes32 accountGasLimits;
    uint256 preVerificationGas;
    bytes32 gasFees;
    bytes paymasterAndData;
    bytes signature;
}

/// What ERC-4337 asks of an entry point, without the money.
contract EntryPoint {
    error FailedOp(uint256 opIndex, string reason);

    event UserOperationEvent(
        bytes32 indexed userOpHash,
        address indexed sender,
        address indexed paymaster,
        uint256 nonce,
        bool success,
        uint256 actualGasCost,
        uint256 actualGasUsed
    );
    event UserOperationRevertReason(bytes32 indexed userOpHash, address indexed sender, uint256 nonce, bytes revertReason);

    function handleOps(PackedUserOperation[] calldata ops, address payable) external {
        for (uint256 i = 0; i < ops.length; i++) {
            PackedUserOperation calldata op = ops[i];
            if (op.initCode.length >= 20) {
                (bool made, ) = address(bytes20(op.initCode[:20])).call(op.initCode[20:]);
                if (!made) revert FailedOp(i, "AA13 initCode failed or OOG");
            }
            if (Account(payable(op.sender)).validateUserOp(op, bytes32(0), 0) != 0) revert FailedOp(i, "AA24 signature error");
            (bool done, bytes memory data) = op.sender.call(op.callData);
            bytes32 hash = keccak256(abi.encode(op));
            // A failed operation is paid for all the same.
            if (!done && data.length > 0) emit UserOperationRevertReason(hash, op.sender, op.nonce, data);
            emit UserOperationEvent(hash, op.sender, address(0), op.nonce, done, 0, 0);
        }
    }
}

/// An account whose signature is one word.
contract Account {
    address private immutable entryPoint;

    constructor(address caller) payable {
        entryPoint = caller;
    }

    receive() external payable {}

    function validateUserOp(PackedUserOperation calldata op, bytes32, uint256) external view returns (uint256) {
        require(msg.sender == entryPoint, "only the entry point");
        return keccak256(op.signature) == keccak256("open") ? 0 : 1;
    }

    function execute(address to, uint256 value, bytes calldata data) external {
        require(msg.sender == entryPoint, "only the entry point");
        (bool done, bytes memory answer) = to.call{value: value}(data);
        if (!done) {
            assembly {
                revert(add(answer, 32), mload(answer))
            }
        }
    }
}
