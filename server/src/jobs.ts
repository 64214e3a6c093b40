import { alertMailEvery, alertMailJobs } from './domain/alert-mail/gather.ts';
import { markNotified } from './domain/alert-mail/mail-content.ts';
import { auditEvery, auditJobs } from './domain/audit/audit-jobs.ts';
import { backupEvery, backupJobs } from './domain/backup/backup-job.ts';
import { restoreJobs } from './domain/backup/restore-job.ts';
import { billEvery, billJobs } from './domain/bill/branch-sums-job.ts';
import { brandEvery, brandJobs } from './domain/brand/sync-brands.ts';
import { configCampaignEvery, configCampaignJobs } from './domain/config/campaign/campaign-job.ts';
import { configFileEvery, configFileJobs } from './domain/config/sweep-files.ts';
import { acmeEvery, acmeJobs } from './domain/custom-domain/acme/acme-job.ts';
import { proofEvery, proofJobs } from './domain/custom-domain/check-proof.ts';
import { dpiTaskEvery, dpiTaskJobs } from './domain/dpi-task/dpi-task-job.ts';
import { fileTaskEvery, fileTaskJobs } from './domain/file-task/file-task-job.ts';
import { upgradeEvery, upgradeJobs } from './domain/firmware/sweep-job.ts';
import { mailEvery, mailJobs } from './domain/mail/send-mails.ts';
import { reconcileEvery, reconcileJobs } from './domain/metering/run/reconcile-job.ts';
import { portalTaskEvery, portalTaskJobs } from './domain/portal/portal-task-job.ts';
import { bundleEvery, bundleJobs } from './domain/portal/remove-bundles.ts';
import { renewEvery, renewJobs } from './domain/sale/renew-job.ts';
import { sweepEvery, sweepJobs } from './domain/subscriber/sweep-job.ts';
import { statusEvery, statusJobs } from './domain/system-status/status-job.ts';
import { trafficEvery, trafficJobs } from './domain/traffic/roll-traffic.ts';
import { dpiImportJobs } from './field/dpi/import-dpi.ts';
import { fieldEvery, fieldJobs } from './field/retention.ts';
import type { Deps } from './kit/deps.ts';
import { exportJobs } from './kit/export/export-job.ts';
import { cleanupEvery, cleanupJobs } from './kit/jobs/cleanup.ts';
import type { JobKinds } from './kit/jobs/job.ts';
import { startJobs } from './kit/jobs/job-runner.ts';
import { outboxJobs } from './kit/messages/outbox.ts';
import { dangerImportJobs } from './modules/advanced/danger-site/import-job.ts';
import { auditExports } from './modules/audit/export-audit.ts';
import { cardExports } from './modules/card/export-cards.ts';
import { cardJobs, cardJobsEvery } from './modules/card/index.ts';
import { backupExports } from './modules/device/backup/export-backups.ts';
import { deviceExports } from './modules/device/list-devices.ts';
import { feedbackExports } from './modules/feedback/feedback.ts';
import { uploadEvery, uploadJobs } from './modules/file/sweep-uploads.ts';
import { billExports } from './modules/finance/bill.ts';
import { collectionExports } from './modules/finance/collection.ts';
import { handoverExports } from './modules/finance/handover.ts';
import { settlementExports } from './modules/finance/settlement.ts';
import { assignExports } from './modules/log/assign-log.ts';
import { dockerExports } from './modules/log/docker-log.ts';
import { logExports } from './modules/log/export-log.ts';
import { packageExports } from './modules/package/export-packages.ts';
import { payEvery, payJobs } from './modules/payment/watch.ts';
import { trafficExports } from './modules/traffic/export-traffic.ts';
import { userExports } from './modules/user/export-users.ts';
import { openingJobs } from './modules/user/opening/opening-job.ts';
import { remoteEvery, remoteJobs } from './remote/retention.ts';

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
    every: {
      ...cleanupEvery,
      ...mailEvery,
      ...alertMailEvery,
      ...sweepEvery,
      ...upgradeEvery,
      ...payEvery,
      ...renewEvery,
      ...cardJobsEvery,
      ...fileTaskEvery,
      ...dpiTaskEvery,
      ...portalTaskEvery,
      ...bundleEvery,
      ...uploadEvery,
      ...backupEvery,
      ...remoteEvery,
      ...fieldEvery,
      ...reconcileEvery,
      ...trafficEvery,
      ...proofEvery,
      ...acmeEvery,
      ...configCampaignEvery,
      ...configFileEvery,
      ...brandEvery,
      ...auditEvery,
      ...statusEvery,
      ...billEvery,
    },
    // A stop waits for jobs at most twice this time.
    graceMs: 2000,
  });
