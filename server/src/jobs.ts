import { alertMailJobs } from './domain/alert-mail/gather.ts';
import { markNotified } from './domain/alert-mail/mail-content.ts';
import { auditJobs } from './domain/audit/audit-jobs.ts';
import { backupJobs } from './domain/backup/backup-job.ts';
import { restoreJobs } from './domain/backup/restore-job.ts';
import { billJobs } from './domain/bill/branch-sums-job.ts';
import { brandJobs } from './domain/brand/sync-brands.ts';
import { configCampaignJobs } from './domain/config/campaign/campaign-job.ts';
import { configFileJobs } from './domain/config/sweep-files.ts';
import { acmeJobs } from './domain/custom-domain/acme/acme-job.ts';
import { proofJobs } from './domain/custom-domain/check-proof.ts';
import { dpiTaskJobs } from './domain/dpi-task/dpi-task-job.ts';
import { fileTaskJobs } from './domain/file-task/file-task-job.ts';
import { upgradeJobs } from './domain/firmware/sweep-job.ts';
import { mailJobs } from './domain/mail/send-mails.ts';
import { reconcileJobs } from './domain/metering/run/reconcile-job.ts';
import { portalTaskJobs } from './domain/portal/portal-task-job.ts';
import { bundleJobs } from './domain/portal/remove-bundles.ts';
import { renewJobs } from './domain/sale/renew-job.ts';
import { sweepJobs } from './domain/subscriber/sweep-job.ts';
import { statusJobs } from './domain/system-status/status-job.ts';
import { trafficJobs } from './domain/traffic/roll-traffic.ts';
import { dpiImportJobs } from './field/dpi/import-dpi.ts';
import { fieldJobs } from './field/retention.ts';
import type { Deps } from './kit/deps.ts';
import { exportJobs } from './kit/export/export-job.ts';
import { cleanupJobs } from './kit/jobs/cleanup.ts';
import type { JobKinds } from './kit/jobs/job.ts';
import { startJobs } from './kit/jobs/job-runner.ts';
import { outboxJobs } from './kit/messages/outbox.ts';
import { dangerImportJobs } from './modules/advanced/danger-site/import-job.ts';
import { auditExports } from './modules/audit/export-audit.ts';
import { cardExports } from './modules/card/export-cards.ts';
import { cardJobs } from './modules/card/index.ts';
import { backupExports } from './modules/device/backup/export-backups.ts';
import { deviceExports } from './modules/device/list-devices.ts';
import { feedbackExports } from './modules/feedback/feedback.ts';
import { uploadJobs } from './modules/file/sweep-uploads.ts';
import { billExports } from './modules/finance/bill.ts';
import { collectionExports } from './modules/finance/collection.ts';
import { handoverExports } from './modules/finance/handover.ts';
import { settlementExports } from './modules/finance/settlement.ts';
import { assignExports } from './modules/log/assign-log.ts';
import { dockerExports } from './modules/log/docker-log.ts';
import { logExports } from './modules/log/export-log.ts';
import { packageExports } from './modules/package/export-packages.ts';
import { payJobs } from './modules/payment/watch.ts';
import { trafficExports } from './modules/traffic/export-traffic.ts';
import { userExports } from './modules/user/export-users.ts';
import { openingJobs } from './modules/user/opening/opening-job.ts';
import { remoteJobs } from './remote/retention.ts';

/** Rows of all exports. */
export const exportBuilders = {
  ...logExports,
  ...dockerExports,
  ...assignExports,
  ...packageExports,
  ...billExports,
  ...collectionExports,
  ...handoverExports,
  ...settlementExports,
  ...userExports,
  ...cardExports,
  ...backupExports,
  ...deviceExports,
  ...feedbackExports,
  ...trafficExports,
  ...auditExports,
};

export const jobKinds = (deps: Deps): JobKinds => ({
  ...exportJobs(exportBuilders),
  ...outboxJobs(deps),
  ...mailJobs(markNotified),
  ...alertMailJobs,
  ...cleanupJobs,
  ...sweepJobs,
  ...upgradeJobs,
  ...payJobs,
  ...renewJobs,
  ...cardJobs,
  ...fileTaskJobs,
  ...dpiTaskJobs,
  ...dpiImportJobs,
  ...portalTaskJobs,
  ...bundleJobs,
  ...uploadJobs,
  ...backupJobs,
  ...restoreJobs,
  ...remoteJobs,
  ...fieldJobs,
  ...reconcileJobs,
  ...trafficJobs,
  ...openingJobs,
  ...dangerImportJobs,
  ...proofJobs,
  ...acmeJobs,
  ...configCampaignJobs,
  ...configFileJobs,
  ...brandJobs,
  ...auditJobs,
  ...statusJobs,
  ...billJobs,
});

export const startWorker = (deps: Deps) =>
  startJobs(deps, jobKinds(deps), {
    // A stop waits for jobs at most twice this time.
    graceMs: 2000,
  });
