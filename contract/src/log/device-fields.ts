import { link, option, text } from '../kit/field.ts';
import { references } from '../references.ts';
import { rules } from '../rules.ts';

/** Device columns and filters of every device log. */
export const deviceFields = {
  device_name: link(['设备名称', 'Device'], { tooltip: true, width: 170, to: '/device/detail/:device_id' }),
  sn: text(['设备SN', 'SN'], { match: 'code', mono: true, width: 118, rules: [rules.sn], max: 64 }),
  agent_name: text(['所属VNO', 'VNO'], { tooltip: true, hiddenByDefault: true, to: references.vno }),
  device_id: option(['设备', 'Device'], 'device/option'),
  vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
};
