import { campaignState } from '@farlink/contract/firmware/campaign.ts';
import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';
import { beginDevices, type Campaign, type PublicAddress } from './begin-devices.ts';
import { isTooMany, wavesOf } from './waves.ts';

const stopped: Text = ['第{0}批 {1} 台中有 {2} 台失败，已自动暂停', '{2} of {1} in wave {0} failed; paused automatically'];

interface Tally {
  /** Not started; in progress; started in the current wave, failed in it, started before it. */
  readonly queued: number;
  readonly open: number;
  readonly begun: number;
  readonly failed: number;
  readonly before: number;
}

const tallyOf = async (db: Db, { id, wave }: Campaign): Promise<Tally> => {
  const { rows } = await sql<Tally>`
    select count(*) filter (where state = 'queued')::int as queued,
      count(*) filter (where state in ('sending', 'verifying'))::int as open,
      count(*) filter (where wave = ${wave})::int as begun,
      count(*) filter (where wave = ${wave} and state in ('failed', 'rolled_back'))::int as failed,
      count(*) filter (where wave < ${wave})::int as before
    from upgrade_device where campaign_id = ${id}`.execute(db);
  return rows[0] ?? { queued: 0, open: 0, begun: 0, failed: 0, before: 0 };
};

const change = async (db: Db, campaign: Campaign, to: Partial<Omit<Campaign, 'id'>>): Promise<Campaign> => {
  await db.updateTable('upgrade_campaign').set(to).where('id', '=', campaign.id).execute();
  return { ...campaign, ...to };
};

/** Number of devices in the current wave. The last wave takes all remaining devices. */
const sizeOf = ({ wave, device_count }: Campaign, before: number) => {
  const waves = wavesOf(device_count);
  return wave < waves.length ? (waves[wave - 1] ?? 0) : device_count - before;
};

/** Advances one wave as far as possible. `next`: the wave has ended and the next may start. */
const stepWave = async (
  db: Db,
  address: PublicAddress,
  campaign: Campaign,
  now: number,
): Promise<{ campaign: Campaign; next: boolean }> => {
  const tally = await tallyOf(db, campaign);
  const isLast = campaign.wave >= wavesOf(campaign.device_count).length;
  const size = sizeOf(campaign, tally.before);
  if (tally.queued > 0 && isTooMany(tally.failed - campaign.forgiven, size)) {
    const [note_zh, note_en] = fill(stopped, campaign.wave, size, tally.failed);
    return { campaign: await change(db, campaign, { state: campaignState.to('stop'), note_zh, note_en }), next: false };
  }
  const remaining = isLast ? tally.queued : Math.min(tally.queued, size - tally.begun);
  const slots = Math.max(0, Math.min(remaining, limits.upgradeAtOnce - tally.open));
  const begun = slots > 0 ? await beginDevices(db, address, campaign, campaign.wave, now, slots) : 0;
  // Devices that cannot start do not block the campaign: they move to the last wave.
  const isFull = tally.begun + begun >= size || (tally.begun + begun > 0 && begun < slots);
  return { campaign, next: !isLast && isFull && tally.open + begun === 0 };
};

/**
 * Advances a campaign as far as possible, in the caller's transaction. The caller has locked its row, so concurrent calls run one after the
 * other.
 */
export const advance = async (db: Db, address: PublicAddress, started: Campaign, now: number): Promise<Campaign> => {
  let campaign = started;
  if (campaignState.can('start', campaign.state) && campaign.send_at <= now)
    campaign = await change(db, campaign, { state: campaignState.to('start'), wave: 1 });
  while (campaign.state === campaignState.id('running')) {
    const step = await stepWave(db, address, campaign, now);
    campaign = step.campaign;
    if (!step.next) break;
    campaign = await change(db, campaign, { wave: campaign.wave + 1, forgiven: 0 });
  }
  if (!campaignState.can('finish', campaign.state)) return campaign;
  const { queued, open } = await tallyOf(db, campaign);
  return queued + open === 0 ? change(db, campaign, { state: campaignState.to('finish'), finish_at: now }) : campaign;
};
