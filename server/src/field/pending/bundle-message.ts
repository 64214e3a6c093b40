import { createHash } from 'node:crypto';
import { type ApplyState, applyState, isApplyOpen } from '@farlink/contract/protocol/apply.ts';
import type { Network } from '@farlink/contract/protocol/network.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import { linkClasses } from '@farlink/gateway/protocol/link.ts';
import type { DownBundle, DownBundleSection } from '@farlink/gateway/protocol/message.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { filesOf, type NamedFile } from '../../config-doc/files.ts';
import { openDoc } from '../../config-doc/sealed.ts';
import type { Config } from '../../env/config.ts';
import { frame } from '../../orders/bundle-wait.ts';
import { fileAddress, sectionAddress } from '../../orders/file-exchange.ts';

/** A section that is sent as part of a bundle. */
export interface BundleRow {
  readonly device_id: number;
  readonly boot: string | null;
  readonly section: string;
  readonly rev: number;
  readonly hash: string;
  readonly doc: JsonObject;
  readonly apply_id: number;
  readonly apply_key: string;
  readonly apply_state: ApplyState;
  readonly keep: number;
  readonly trial_at: number | null;
  readonly handed_at: number | null;
}

export interface Bundle {
  readonly id: string;
  readonly keep: number;
  readonly rows: readonly BundleRow[];
  /** The apply operation that the bundle carries out. Null: sections that were applied earlier are sent again. */
  readonly apply: Pick<BundleRow, 'apply_id' | 'handed_at' | 'apply_state' | 'trial_at' | 'keep'> | null;
}

/** Stable for the same content in the same boot, so that the gateway recognizes a repeated message. */
const idOf = (rows: readonly BundleRow[]) => {
  const sections = rows.map(({ section, rev }) => `${section}@${rev}`).toSorted();
  return createHash('sha256')
    .update([rows[0]?.device_id, rows[0]?.boot, ...sections].join(' '))
    .digest('hex')
    .slice(0, 12);
};

const refusedStates: readonly ApplyState[] = [applyState.ids.refused, applyState.ids.rolled_back];

const groupOf = ({ apply_id, apply_state }: BundleRow) =>
  // Lost sections are restored together, because they refer to each other. Refused sections stay separate, so that they cannot fail the
  // others.
  isApplyOpen(apply_state) ? `open ${apply_id}` : refusedStates.includes(apply_state) ? `refused ${apply_id}` : 'again';

/** Bundles with earlier sections come first, then the open apply operations. */
export const bundlesOf = (rows: readonly BundleRow[]): Bundle[] => {
  const made = [...Map.groupBy(rows, groupOf).values()].map((some): Bundle => {
    const [first] = some;
    const open = first && isApplyOpen(first.apply_state) ? first : null;
    return { id: open?.apply_key ?? idOf(some), keep: open?.keep ?? 0, rows: some, apply: open };
  });
  return made.toSorted((a, b) => Number(a.apply !== null) - Number(b.apply !== null));
};

export interface OpenBundle extends Omit<Bundle, 'rows'> {
  readonly sections: readonly { readonly row: BundleRow; readonly doc: JsonObject; readonly bytes: number }[];
  readonly files: readonly NamedFile[];
  readonly bytes: number;
}

export const openBundle = ({ rows, ...group }: Bundle, secretKey: Buffer): OpenBundle => {
  const sections = rows.flatMap((row) => {
    const page = gatewayPages.get(row.section);
    if (!page) return [];
    const doc = openDoc(page, row.doc, secretKey);
    return [{ row, doc, bytes: Buffer.byteLength(JSON.stringify(doc)), files: filesOf(page, doc) }];
  });
  const files = sections.flatMap((one) => one.files);
  const bytes = sections.reduce((sum, one) => sum + one.bytes, 0) + files.reduce((sum, { file }) => sum + file.size, 0);
  return { ...group, sections, files, bytes };
};

/** Validity of a download URL in a bundle. A repeated bundle gets new URLs. */
const urlValidS = 86_400;

/** Sections that do not fit into the message are downloaded instead, the longest first. */
const sectionsToDownload = ({ sections }: OpenBundle, maxBytes: number): ReadonlySet<string> => {
  let total = sections.reduce((sum, { bytes }) => sum + bytes + frame.section, frame.set);
  const downloaded = new Set<string>();
  for (const { row, bytes } of sections.toSorted((a, b) => b.bytes - a.bytes)) {
    if (total <= maxBytes) break;
    downloaded.add(row.section);
    total -= bytes - 512;
  }
  return downloaded;
};

type PublicAddress = Pick<Config, 'secretKey' | 'publicUrl' | 'port'>;

/** `stored` lists the files that the console has stored, by hash and sealed flag. The gateway already has the other files. */
export const bundleBody = (
  config: PublicAddress,
  bundle: OpenBundle,
  network: Network,
  stored: ReadonlySet<string>,
  now: number,
): string => {
  const files = bundle.files.filter(({ file, secret }) => stored.has(`${file.sha256} ${secret}`));
  const until = now + urlValidS;
  const downloaded = sectionsToDownload(bundle, linkClasses[network].downBytes - files.length * 600);
  const s: Record<string, DownBundleSection> = {};
  for (const { row, doc, bytes } of bundle.sections) {
    const { rev, hash: h, device_id, section } = row;
    s[section] = downloaded.has(section)
      ? { rev, h, url: sectionAddress(config, { device_id, section, rev, until }), n: bytes }
      : { rev, h, doc };
  }
  const f: Record<string, string> = {};
  for (const { file, secret } of files)
    f[file.sha256] = fileAddress(config, { device_id: bundle.sections[0]?.row.device_id ?? 0, sha256: file.sha256, secret, until });
  const body: DownBundle = { id: bundle.id, keep: bundle.keep, s, ...(files.length > 0 && { f }) };
  return JSON.stringify(body);
};
