import { group } from '../../kit/page.ts';
import { diagnosisDnsLookup } from './dns-lookup.ts';
import { diagnosisHealthCheck } from './health-check.ts';
import { diagnosisLogCollect } from './log-collect.ts';
import { diagnosisPing } from './ping.ts';
import { diagnosisSpeedTest } from './speed-test.ts';
import { diagnosisTcpdump } from './tcpdump.ts';
import { diagnosisTraceroute } from './traceroute.ts';

export const diagnosis = group(
  'diagnosis',
  ['网络诊断', 'Diagnosis'],
  diagnosisPing,
  diagnosisTraceroute,
  diagnosisDnsLookup,
  diagnosisTcpdump,
  diagnosisSpeedTest,
  diagnosisHealthCheck,
  diagnosisLogCollect,
);
