import type { RunHandler } from './action-run.ts';
import { upgradeAps } from './ap-upgrade.ts';
import { backup } from './backup.ts';
import { capture } from './capture.ts';
import { checkHealth } from './health-check.ts';
import { switchLink } from './link-change.ts';
import { collectLogs } from './log-collect.ts';
import { lookup } from './lookup.ts';
import { ping, trace } from './ping.ts';
import { rawConfig } from './raw-config.ts';
import { reboot } from './reboot.ts';
import { controlSatellite } from './satellite-control.ts';
import { testSpeed } from './speed-test.ts';
import { upgrade } from './upgrade.ts';

/** Handler of each action page. */
export const runHandlers: Readonly<Record<string, RunHandler>> = {
  ac_ap_upgrade: upgradeAps,
  advanced_backup: backup,
  advanced_reboot: reboot,
  advanced_upgrade: upgrade,
  diagnosis_dns_lookup: lookup,
  diagnosis_health_check: checkHealth,
  diagnosis_log_collect: collectLogs,
  diagnosis_ping: ping,
  diagnosis_speed_test: testSpeed,
  diagnosis_tcpdump: capture,
  diagnosis_traceroute: trace,
  hidden_raw_config: rawConfig,
  link_change_manual: switchLink,
  satellite_route_control: controlSatellite,
};
