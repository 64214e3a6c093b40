import { runCalls } from '@farlink/contract/config/run.ts';
import { terminalCalls } from '@farlink/contract/config/terminal.ts';
import { watchCalls } from '@farlink/contract/config/watch.ts';
import { wizardCalls } from '@farlink/contract/config/wizard.ts';
import { type Binding, bind, bindAll } from '../../../kit/http/serve.ts';
import { startRun } from './run.ts';
import { downloadFile, listRuns, readRun } from './runs.ts';
import { stopRun } from './stop-run.ts';
import { openTerminal } from './terminal.ts';
import { readWatch } from './watch.ts';
import { writeWizard } from './wizard.ts';

export const liveConfigBindings: readonly Binding[] = [
  bind(watchCalls.watch, readWatch),
  ...bindAll(runCalls, { run: startRun, read: readRun, stop: stopRun, runs: listRuns, file: downloadFile }),
  bind(terminalCalls.open, openTerminal),
  bind(wizardCalls.write, writeWizard),
];
