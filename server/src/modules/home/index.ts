import { homeCalls } from '@farlink/contract/home/home.ts';
import { bindAll } from '../../kit/http/serve.ts';
import { readSummary } from './summary.ts';

export const homeBindings = bindAll(homeCalls, { summary: readSummary });
