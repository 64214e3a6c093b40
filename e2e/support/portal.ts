import { portalCalls } from '@farlink/contract/market/portal.ts';
import type { Caller } from './api.ts';
import { unique } from './world.ts';

/** Creates a portal for ships from the built-in template. */
export const makePortal = async (by: Caller, billing_type: 'free' | 'charged' = 'charged') => {
  const templates = await by.call(portalCalls.templateOption, { device_type: 'ship' });
  const template_id = Number(Object.keys(templates)[0]);
  const name = unique('P');
  const { id } = await by.call(portalCalls.create, { name, template_id, device_type: 'ship', billing_type });
  return { id, name };
};
