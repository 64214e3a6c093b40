import type { Shadow } from '@farlink/contract/device/shadow.ts';
import { isRecord } from '@farlink/contract/kit/values.ts';
import { shadowState } from '@farlink/gateway/protocol/shadow.ts';
import { bytesOf, waitOf } from '../../../domain/device/wait-reason.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import type { DeviceRow } from '../find-device.ts';

export interface Section {
  /** Desired document; null if none is set. */
  readonly doc: Readonly<Record<string, unknown>> | null;
  readonly shadow: Shadow;
}

const emptyShadow: Shadow = { state: 'none', update_at: null, at: null, waits: null, err: null };

/** Desired document of a section, and its state. */
export const readSection = async (ctx: Ctx, device: DeviceRow, section: string): Promise<Section> => {
  const row = await ctx.db
    .selectFrom('desired_section as d')
    .leftJoin('reported_section as r', (join) => join.onRef('r.device_id', '=', 'd.device_id').onRef('r.section', '=', 'd.section'))
    .select([
      'd.rev',
      'd.hash',
      'd.doc',
      'd.sent_at',
      'd.update_at',
      'r.rev as reported_rev',
      'r.hash as reported_hash',
      'r.ok',
      'r.local',
      'r.err',
      'r.at',
    ])
    .where('d.device_id', '=', device.id)
    .where('d.section', '=', section)
    .executeTakeFirst();
  if (!row) return { doc: null, shadow: emptyShadow };
  const { reported_rev, reported_hash, ok, local } = row;
  const reported =
    reported_rev !== null && ok !== null && local !== null ? { rev: reported_rev, hash: reported_hash, ok, local } : undefined;
  const state = shadowState(row, reported);
  const isOpen = state === 'pending' || state === 'applying';
  return {
    doc: isRecord(row.doc) ? row.doc : null,
    shadow: {
      state,
      update_at: row.update_at,
      at: row.at,
      waits: isOpen ? waitOf(device, bytesOf(row), ctx.now()) : null,
      err: state === 'failed' ? row.err : null,
    },
  };
};
