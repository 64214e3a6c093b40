export const proofReadme = `审计数据及其证明

rows.jsonl        行：按规范顺序的列值、承诺值、到批次根的兄弟哈希
batches.jsonl     批次：到分钟封存的兄弟哈希
seals.jsonl       封存：到日志的兄弟哈希
checkpoint.txt    签名的检查点（C2SP tlog-checkpoint，Ed25519）
key.txt           公钥
log.bin           日志各项的哈希（每项32字节），用于与较早的检查点核对

核对：npm run verify -- export.zip [--known checkpoint.txt]，或 node verify.mjs export.zip。无需网络，无需其他文件。
本文件按条件导出：它证明其中的每一行在封存时已存在且未被修改，不证明符合条件的行全部在内。
加密的值仅以承诺值出现；有查看权限的导出附带明文和盐值（clear），可与承诺值核对。脱敏列（虚拟身份账号、发帖账号）同样以带盐的承诺值出现，
有查看权限时附带明文和盐值（masked）。升级前存储的此类行没有带盐的承诺值，无查看权限时不附证明（withheld）。

Audit data with proofs

rows.jsonl        rows: values in canonical order, commitments, sibling hashes up to the root of the batch
batches.jsonl     batches: sibling hashes up to the seal of the minute
seals.jsonl       seals: sibling hashes up to the root of the log
checkpoint.txt    signed checkpoint (C2SP tlog-checkpoint, Ed25519)
key.txt           public key
log.bin           hashes of all entries of the log (32 bytes each), to compare with an older checkpoint

Check it: npm run verify -- export.zip [--known checkpoint.txt], or node verify.mjs export.zip. It needs no network and no other file.
This file was exported by a filter. It proves that each row in it existed when it was sealed and was not changed. It does not prove that all
rows of the filter are in it.
Encrypted values appear as commitments only. An export with the right to reveal adds the values with their salts (clear), which can be
compared with the commitments. Masked columns (virtual identity, author) appear as salted commitments too; the right to reveal adds value
and salt (masked). Rows that were stored before there were such commitments are not proven without that right (withheld).
`;
