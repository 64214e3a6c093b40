import { auditAccessLogCalls } from '@farlink/contract/audit/audit-access-log.ts';
import { auditEvidenceCalls } from '@farlink/contract/audit/audit-evidence.ts';
import { auditHoldCalls } from '@farlink/contract/audit/audit-hold.ts';
import { auditRevealCalls } from '@farlink/contract/audit/audit-reveal.ts';
import { auditAuthCalls } from '@farlink/contract/audit/auth-account.ts';
import { auditMailCalls } from '@farlink/contract/audit/electronic-mail.ts';
import { auditForumCalls } from '@farlink/contract/audit/network-forum.ts';
import { auditUrlCalls } from '@farlink/contract/audit/network-url.ts';
import { auditTerminalCalls } from '@farlink/contract/audit/terminal-acquisition.ts';
import { auditIdentityCalls } from '@farlink/contract/audit/virtual-identity.ts';
import { bindAll, fromReplica } from '../../kit/http/serve.ts';
import { giveReason, listAccesses, readReason } from './access-log.ts';
import { listFindings, listVerifications, readEvidence, recordFork, startVerification } from './evidence.ts';
import { exportAudit } from './export-audit.ts';
import { exportHold } from './export-hold.ts';
import { forget, listErasures } from './forget.ts';
import { createHold, listHolds, releaseHold } from './hold.ts';
import { listAuth, listForums, listIdentities, listMails, listUrls } from './list-audit.ts';
import { revealRow } from './reveal.ts';

export const auditBindings = fromReplica([
  ...bindAll(auditAuthCalls, { list: listAuth, export: exportAudit('authAccount') }),
  ...bindAll(auditTerminalCalls, { export: exportAudit('terminalAcquisition') }),
  ...bindAll(auditIdentityCalls, { list: listIdentities, export: exportAudit('virtualIdentity') }),
  ...bindAll(auditUrlCalls, { list: listUrls, export: exportAudit('networkURL') }),
  ...bindAll(auditForumCalls, { list: listForums, export: exportAudit('networkForum') }),
  ...bindAll(auditMailCalls, { list: listMails, export: exportAudit('electronicMail') }),
  ...bindAll(auditAccessLogCalls, { list: listAccesses, readReason, giveReason }),
  ...bindAll(auditHoldCalls, { list: listHolds, create: createHold, release: releaseHold, export: exportHold }),
  ...bindAll(auditEvidenceCalls, {
    status: readEvidence,
    list: listVerifications,
    findings: listFindings,
    verify: startVerification,
    fork: recordFork,
  }),
  ...bindAll(auditRevealCalls, { reveal: revealRow, erasures: listErasures, forget }),
]);
