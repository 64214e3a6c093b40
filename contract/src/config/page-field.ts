import { option, text } from '../kit/field.ts';
import { matches } from '../kit/rule.ts';

/** Input shared by calls about one page of one gateway. */
export const device_id = option(['设备', 'Device'], 'device/option', { required: true, hidden: true });
export const pageOfGateway = text(['页面', 'Page'], {
  required: true,
  max: 64,
  hidden: true,
  rules: [matches('page_key', /^[a-z][a-z0-9]*(_[a-z0-9]+)+$/, ['页面不存在', 'Page not found'])],
});
