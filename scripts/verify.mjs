// Verifies an export of audit data with proofs, offline: node verify.mjs export.zip [--known checkpoint.txt]
// One file without dependencies, Node 20 or newer. README.txt of the export describes the format.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { createReadStream, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { createInflateRaw } from 'node:zlib';

/** @typedef {Record<string, unknown>} Item */
/** @typedef {(name: string) => AsyncIterable<Buffer> | Iterable<Buffer>} Open */
/** @typedef {{ size: number, root: Buffer }} Checkpoint */
/** @typedef {ReturnType<typeof keyOf>} Key */

const maxShown = 50;
const maxLeaves = 2 ** 20;
const maxLineLength = 4 * 2 ** 20;
/** What is wrong, in English and Chinese. @type {string[]} */
const problems = [];
let problemCount = 0;
/** @param {string} english @param {string} chinese */
const report = (english, chinese) => {
  problemCount++;
  if (problems.length < maxShown) problems.push(`${english} / ${chinese}`);
};
/** Verification ends with this text. */
class Failure extends Error {}

/** @param {(Buffer | string)[]} chunks */
const sha256 = (...chunks) => chunks.reduce((hash, chunk) => hash.update(chunk), createHash('sha256')).digest();
/** @param {Buffer} data */
const leafHash = (data) => sha256('\0', data);
/** @param {Buffer} left @param {Buffer} right */
const nodeHash = (left, right) => sha256('\x01', left, right);

/** Root of RFC 6962. @param {Buffer[]} hashes */
const rootOf = (hashes) => {
  let level = hashes;
  while (level.length > 1) {
    /** @type {Buffer[]} */
    const next = [];
    for (const [i, left] of level.entries()) if (i % 2 === 0) next.push(level[i + 1] ? nodeHash(left, level[i + 1] ?? left) : left);
    level = next;
  }
  return level[0] ?? sha256();
};
/** Whether a leaf and its siblings lead to the root. @param {Buffer} leaf @param {unknown} index @param {unknown} size @param {unknown} proof @param {Buffer | null} root */
const leadsTo = (leaf, index, size, proof, root) => {
  if (typeof index !== 'number' || typeof size !== 'number' || !Array.isArray(proof) || proof.length > 64 || root === null) return false;
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return false;
  let node = index;
  let last = size - 1;
  let hash = leaf;
  let used = 0;
  for (; last > 0; [node, last] = [Math.floor(node / 2), Math.floor(last / 2)]) {
    if (node % 2 === 0 && node === last) continue;
    const sibling = bytesOf(proof[used++]);
    if (!sibling) return false;
    hash = node % 2 === 1 ? nodeHash(sibling, hash) : nodeHash(hash, sibling);
  }
  return used === proof.length && hash.equals(root);
};
/** Canonical form c1. @param {unknown} name @param {unknown[]} values */
const canonical = (name, values) => {
  /** @type {Buffer[]} */
  const chunks = [Buffer.from(`c1\0${name}\0`)];
  for (const value of values) {
    if (value === null) chunks.push(Buffer.from('n;'));
    else if (Buffer.isBuffer(value)) chunks.push(Buffer.from(`b${value.length}:`), value);
    else if (typeof value === 'number') chunks.push(Buffer.from(`i${String(value).length}:${value}`));
    else if (typeof value === 'string') chunks.push(Buffer.from(`t${Buffer.byteLength(value)}:${value}`));
    else throw new TypeError('not a value of the canonical form');
  }
  return Buffer.concat(chunks);
};

/** Verifier key of a signed note: name, key id, key. @param {string} text */
const keyOf = (text) => {
  const [, name = '', id = '', encoded = ''] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text.trim()) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  const keyId = sha256(`${name}\n`, bytes).subarray(0, 4);
  if (bytes.length !== 33 || bytes[0] !== 1 || keyId.toString('hex') !== id)
    throw new Failure('key.txt: altered, or not an Ed25519 key / key.txt：被修改，或不是 Ed25519 密钥');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: bytes.subarray(1).toString('base64url') }, format: 'jwk' });
  return { name, id: keyId, key };
};
/** C2SP tlog-checkpoint. Undefined: malformed, or not signed by the key. @param {string} text @param {Key} key @returns {Checkpoint | undefined} */
const openCheckpoint = (text, { name, id, key }) => {
  const end = text.indexOf('\n\n') + 1;
  const [origin, digits = '', encoded = ''] = text.slice(0, Math.max(0, end - 1)).split('\n');
  const root = Buffer.from(encoded, 'base64');
  if (origin !== name || !/^(0|[1-9]\d{0,14})$/.test(digits) || root.length !== 32) return undefined;
  const signatures = text.slice(end + 1).split('\n');
  const isSigned = signatures.some((line) => {
    const [dash, signer, signature = ''] = line.split(' ');
    const bytes = Buffer.from(signature, 'base64');
    if (dash !== '—' || signer !== name || bytes.length !== 68 || !bytes.subarray(0, 4).equals(id)) return false;
    return verify(null, Buffer.from(text.slice(0, end)), key, bytes.subarray(4));
  });
  return isSigned ? { size: Number(digits), root } : undefined;
};

const broken = () => new Failure('the file is not a whole ZIP archive / 文件不是完整的 ZIP');
/** Entries of a ZIP below 4 GB. @param {string} path @returns {Open} */
const openZip = (path) => {
  const { size } = statSync(path);
  const file = openSync(path, 'r');
  /** @param {number} position @param {number} length */
  const readAt = (position, length) => {
    const bytes = Buffer.alloc(length);
    if (readSync(file, bytes, 0, length, position) < length) throw broken();
    return bytes;
  };
  const from = Math.max(0, size - 65_557);
  const tail = readAt(from, size - from);
  const end = tail.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (end < 0 || end + 22 > tail.length) throw broken();
  const count = tail.readUInt16LE(end + 10);
  const length = tail.readUInt32LE(end + 12);
  const start = tail.readUInt32LE(end + 16);
  if (count > 100 || length > 1_000_000 || start + length > size) throw broken();
  const directory = readAt(start, length);
  /** @type {Map<string, { method: number, packed: number, offset: number }>} */
  const entries = new Map();
  for (let at = 0, i = 0; i < count; i++) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== 0x02014b50) throw broken();
    const nameEnd = at + 46 + directory.readUInt16LE(at + 28);
    const name = directory.toString('utf8', at + 46, nameEnd);
    if (entries.has(name)) throw broken();
    const method = directory.readUInt16LE(at + 10);
    const packed = directory.readUInt32LE(at + 20);
    const offset = directory.readUInt32LE(at + 42);
    entries.set(name, { method, packed, offset });
    at = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return (name) => {
    const entry = entries.get(name);
    if (!entry) throw new Failure(`${name} is missing in the archive / 归档中没有 ${name}`);
    const head = readAt(entry.offset, 30);
    const data = entry.offset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
    const isKnown = head.readUInt32LE(0) === 0x04034b50 && (entry.method === 0 || entry.method === 8);
    if (!isKnown || data + entry.packed > size) throw broken();
    if (entry.packed === 0) return [];
    const raw = createReadStream(path, { start: data, end: data + entry.packed - 1 });
    return entry.method === 0 ? raw : raw.pipe(createInflateRaw());
  };
};
/** @param {Open} open @param {string} name @param {number} maxBytes */
const readAll = async (open, name, maxBytes) => {
  /** @type {Buffer[]} */
  const chunks = [];
  let length = 0;
  for await (const chunk of open(name)) {
    length += chunk.length;
    if (length > maxBytes) throw new Failure(`${name} is too long / ${name} 过长`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};
/** Objects of a JSONL entry, one by one. @param {Open} open @param {string} name @returns {AsyncGenerator<Item>} */
async function* objectsOf(open, name) {
  let rest = '';
  let number = 0;
  const decoder = new TextDecoder();
  for await (const chunk of open(name)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > maxLineLength) throw new Failure(`${name}: a line is too long / ${name}：行过长`);
    for (const line of lines) {
      number++;
      /** @type {Item[]} */
      const found = [];
      if (passes(() => found.push(recordOf(JSON.parse(line))) > 0)) yield* found;
      else report(`${name}: line ${number} is not readable`, `${name}：第 ${number} 行无法读取`);
    }
  }
  if (rest !== '') report(`${name}: its end is missing`, `${name}：结尾缺失`);
}
/** @param {unknown} value @returns {Item} */
const recordOf = (value) => {
  if (typeof value !== 'object' || value === null) throw new TypeError('not an object');
  return { ...value };
};
/** @param {unknown} text */
const bytesOf = (text) => (typeof text === 'string' && /^([0-9a-f]{2})*$/.test(text) ? Buffer.from(text, 'hex') : undefined);
/** @param {unknown} text */
const bytesOrNull = (text) => (text === null ? null : (bytesOf(text) ?? Buffer.alloc(0)));
/** A hostile value fails only its own check. @param {() => boolean} check */
const passes = (check) => {
  try {
    return check();
  } catch {
    return false;
  }
};

/** @param {Open} open @param {Checkpoint} checkpoint */
const checkSeals = async (open, checkpoint) => {
  const seals = new Map();
  for await (const seal of objectsOf(open, 'seals.jsonl')) {
    const { index, type, kind, from_at, batches, rows, note, create_at } = seal;
    const root = bytesOrNull(seal.root);
    const isIn = passes(() => {
      const leaf = leafHash(canonical('leaf', [index, type, kind, from_at, batches, rows, root, note, create_at]));
      return type === 'seal' && leadsTo(leaf, index, checkpoint.size, seal.proof, checkpoint.root);
    });
    if (isIn) seals.set(index, { kind, minute: from_at, batches, root });
    else report(`seal ${index}: altered, or not part of the signed log`, `封存 ${index}：被修改，或不在签名的日志中`);
  }
  return seals;
};
/** @param {Open} open @param {Awaited<ReturnType<typeof checkSeals>>} seals */
const checkBatches = async (open, seals) => {
  const batches = new Map();
  for await (const b of objectsOf(open, 'batches.jsonl')) {
    const root = bytesOrNull(b.root);
    const added = bytesOrNull(b.added_root);
    const isIn = passes(() => {
      if (b.seal === null) return true;
      const seal = seals.get(b.seal);
      const facts = [b.id, b.kind, b.device_id, b.agent_id, b.boot, b.seq, b.count, b.stored_at, root, added];
      const isOfMinute = b.kind === seal.kind && Math.floor(Number(b.stored_at) / 60) * 60 === seal.minute;
      return isOfMinute && leadsTo(leafHash(canonical('batch', facts)), b.index, seal.batches, b.proof, seal.root);
    });
    if (isIn) batches.set(b.id, { root, added, kind: b.kind, count: b.count, isSealed: b.seal !== null });
    else report(`batch ${b.id}: altered, or not part of its seal`, `批次 ${b.id}：被修改，或不在其封存中`);
  }
  return batches;
};
/** Names of sealed values in the order of their commitment. @param {unknown} kind */
const sealedNames = (kind) => (kind === 'forum' ? ['title', 'content'] : kind === 'mail' ? ['sender', 'receiver', 'cc', 'subject'] : []);
/** @param {unknown} salt @param {string[]} names @param {Item} values @param {unknown} commitment */
const isCommitted = (salt, names, values, commitment) => {
  if (salt === undefined) return commitment === null;
  const listed = names.map((name) => values[name] ?? null);
  return sha256(bytesOf(salt) ?? '', canonical('sealed', listed)).toString('hex') === commitment;
};

/** @param {Open} open @param {Awaited<ReturnType<typeof checkBatches>>} batches */
const checkRows = async (open, batches) => {
  const seen = new Set();
  let unsealed = 0;
  let withheld = 0;
  for await (const row of objectsOf(open, 'rows.jsonl')) {
    const { kind, n } = row;
    const position = `${row.batch} ${n}`;
    if (seen.has(position)) report(`row ${position}: twice in the export`, `行 ${position}：在导出中重复`);
    seen.add(position);
    const batch = batches.get(row.batch);
    if (row.withheld === true) withheld++;
    else if (!batch || batch.kind !== kind) report(`row ${position}: its batch is not proven`, `行 ${position}：所属批次未被证明`);
    if (row.withheld === true || !batch || batch.kind !== kind) continue;
    if (!batch.isSealed) unsealed++;
    /** @param {() => boolean} check @param {string} english @param {string} chinese */
    const expectRow = (check, english, chinese) => passes(check) || report(`row ${position}: ${english}`, `行 ${position}：${chinese}`);
    const isReportedIn = () => {
      const values = Array.isArray(row.values) ? row.values.map((pair) => pair[1]) : [];
      const leaf = bytesOf(row.leaf) ?? leafHash(canonical(kind, [...values, bytesOrNull(row.commitment)]));
      return leadsTo(leaf, n, batch.count, row.proof, batch.root) && (row.leaf === undefined || values.length === 0);
    };
    const isAddedIn = () => {
      const values = [row.device_id, row.agent_id, row.subscriber_id, bytesOrNull(row.added_commitment)];
      return leadsTo(leafHash(canonical(`${kind}+`, values)), n, batch.count, row.added_proof, batch.added);
    };
    const isClearCommitted = () => {
      const { salt, addedSalt, values } = recordOf(row.clear);
      if (!isCommitted(salt, sealedNames(kind), recordOf(values), row.commitment)) return false;
      return row.masked !== undefined || isCommitted(addedSalt, ['name', 'phone', 'id_number'], recordOf(values), row.added_commitment);
    };
    const isMaskedCommitted = () => isCommitted(recordOf(row.masked).salt, ['value'], recordOf(row.masked), row.added_commitment);
    expectRow(isReportedIn, 'altered, or not part of its batch', '被修改，或不在其批次中');
    expectRow(isAddedIn, 'owner or added values altered', '归属或附加值被修改');
    if (row.masked !== undefined) expectRow(isMaskedCommitted, 'the masked value does not fit its commitment', '脱敏列的明文与承诺值不符');
    if (row.clear !== undefined) expectRow(isClearCommitted, 'values in clear do not fit their commitment', '明文与承诺值不符');
  }
  return { rows: seen.size - withheld, unsealed, withheld };
};

/** The log leads to the signed root, and its beginning to an older checkpoint. @param {Open} open @param {Checkpoint} checkpoint @param {Key} key @param {string | undefined} knownPath */
const checkLog = async (open, checkpoint, key, knownPath) => {
  const bytes = await readAll(open, 'log.bin', maxLeaves * 32);
  const hashes = Array.from({ length: Math.ceil(bytes.length / 32) }, (_, i) => bytes.subarray(i * 32, i * 32 + 32));
  if (checkpoint.size <= maxLeaves && !(hashes.length === checkpoint.size && rootOf(hashes).equals(checkpoint.root)))
    report('log.bin: altered, or does not lead to the checkpoint', 'log.bin：被修改，或与检查点不符');
  if (!knownPath) return;
  const known = openCheckpoint(readFileSync(knownPath, 'utf8'), key);
  if (!known) report('known checkpoint: not signed by the key of this export', '已知检查点：不是本导出的密钥所签');
  else if (known.size > checkpoint.size)
    report('the log is shorter than the known checkpoint: it was cut or restored', '日志比已知检查点短：被截断或由备份恢复');
  else if (hashes.length < known.size) report('log.bin is too short for the known checkpoint', 'log.bin 不足以核对已知检查点');
  else if (!rootOf(hashes.slice(0, known.size)).equals(known.root))
    report('the log was rewritten since the known checkpoint', '日志在已知检查点之后被改写');
};
/** @param {string[]} args */
const main = async (args) => {
  const at = args.indexOf('--known');
  const [path, known] = at < 0 ? [args[0]] : [args[at === 0 ? 2 : 0], args[at + 1]];
  if (!path || (at >= 0 && !known)) throw new Failure('usage: npm run verify -- export.zip [--known checkpoint.txt]');
  const open = openZip(path);
  const key = keyOf((await readAll(open, 'key.txt', 4096)).toString());
  const checkpoint = openCheckpoint((await readAll(open, 'checkpoint.txt', 4096)).toString(), key);
  if (!checkpoint) throw new Failure('checkpoint.txt: altered, or its signature is invalid / checkpoint.txt：被修改，或签名无效');
  await checkLog(open, checkpoint, key, known);
  const { rows, unsealed, withheld } = await checkRows(open, await checkBatches(open, await checkSeals(open, checkpoint)));
  if (unsealed > 0) console.log(`${unsealed} rows are not sealed yet / ${unsealed} 行尚未封存`);
  if (withheld > 0) console.log(`${withheld} rows are listed without proof (masked) / ${withheld} 行因脱敏未附证明`);
  for (const problem of problems) console.log(problem);
  if (problemCount > 0) throw new Failure(`FAILED: ${problemCount} problems / 核验失败：${problemCount} 个问题`);
  console.log(`OK: ${rows} rows proven by checkpoint ${checkpoint.size} of ${key.name} / 核验通过：${rows} 行`);
};

main(process.argv.slice(2)).catch((error) => {
  console.log(error instanceof Failure ? error.message : `the archive is damaged: ${error.code ?? error.message} / 归档已损坏`);
  process.exitCode = 1;
});
