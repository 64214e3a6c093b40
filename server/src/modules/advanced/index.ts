import { authorizationCalls as calls } from '@farlink/contract/advanced/authorization.ts';
import { bind } from '../../kit/serve.ts';
import { activateLicense, listLicenses } from './authorization.ts';

export const advancedBindings = [bind(calls.list, listLicenses), bind(calls.activate, activateLicense)];
