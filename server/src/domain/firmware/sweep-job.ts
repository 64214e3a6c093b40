import { campaignState, upgradeState } from '@farlink/contract/firmware/campaign.ts';
import { sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';
import type { JobKinds } from '../../kit/jobs/job.ts';
import { advance } from './advance.ts';
import type { PublicAddress } from './begin-devices.ts';

/** Retention of completed jobs; the next round starts long before. */
const retentionS = 3600;

/** Ends overdue devices: unconfirmed installations, deleted devices, and devices that could never start. */
const completeOverdue = async (db: Db, now: number) => {
  await sql`
    update upgrade_device u set finish_at = ${now}, detail = d.version,
      state = case when version_key(d.version) = u.version_key then 'success' when d.boot is distinct from u.boot then 'rolled_back' else 'failed' end,
      reason = case when version_key(d.version) = u.version_key then null when d.boot is distinct from u.boot then 'failed_boot' else 'unconfirmed' end
    from device d where d.id = u.device_id and u.state = 'verifying' and u.verify_by <= ${now}`.execute(db);
  await sql`
    update upgrade_device u set state = 'cancelled', reason = 'moved', finish_at = ${now}
    where u.state = any(${[upgradeState.id('queued'), upgradeState.id('sending'), upgradeState.id('verifying')]}::text[]) and u.device_id is null`.execute(
    db,
  );
  await sql`
    update upgrade_device u set state = 'cancelled', reason = 'moved', finish_at = ${now}
    from device d where d.id = u.device_id and u.state = 'queued' and (d.agent_id <> u.agent_id or d.sn <> u.sn)`.execute(db);
  await sql`
    update upgrade_device u set state = 'expired', reason = 'unreachable', finish_at = ${now}
    from upgrade_campaign c where c.id = u.campaign_id and u.state = 'queued' and c.state in ('running', 'stopped') and c.deadline <= ${now}`.execute(
    db,
  );
};

const openCampaigns = (db: Db, now: number) =>
  db
    .selectFrom('upgrade_campaign')
    .select('id')
    .where('state', 'in', campaignState.from('end'))
    .where((eb) => eb.or([eb('state', '<>', campaignState.id('waiting')), eb('send_at', '<=', now)]))
    .orderBy('id');

/** Advances every open campaign in its own transaction. A campaign locked by another process is skipped. */
export const sweepCampaigns = async (db: Db, address: PublicAddress, now: number) => {
  await db.transaction().execute((tx) => completeOverdue(tx, now));
  for (const { id } of await openCampaigns(db, now).execute())
    await db.transaction().execute(async (tx) => {
      const campaign = await tx.selectFrom('upgrade_campaign').selectAll().where('id', '=', id).forUpdate().skipLocked().executeTakeFirst();
      if (campaign) await advance(tx, address, campaign, now);
    });
};

export const upgradeJobs: JobKinds = {
  // Handles time and link changes that no gateway message reports.
  upgrade_sweep: {
    run: ({ deps }) => sweepCampaigns(deps.db, deps.config, deps.clock.now()),
    everyS: 15,
    isDue: ({ db, clock }) => sql<boolean>`exists (${openCampaigns(db, clock.now())})`,
    retentionS,
  },
};
