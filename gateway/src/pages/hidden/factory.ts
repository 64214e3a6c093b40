import { bool, choice, int, interfaceAddress, mac, secret, text, time } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';
import { serialNumber } from '../../kit/patterns.ts';

export const hiddenFactory = form('hidden_factory', {
  title: ['出厂信息', 'Factory data'],
  summary: [
    '生产时写入的序列号、起始MAC和硬件版本，仅工厂模式下可解锁。',
    'Serial number, MAC base and hardware revision written at production; unlocked only in factory mode.',
  ],
  hidden: true,
  fields: {
    unlock_code: secret(['工厂解锁码', 'Factory unlock code'], { required: true, max: 32 }),
    sn: text(['序列号', 'Serial number'], { required: true, max: 32, like: serialNumber }),
    model: text(['型号', 'Model'], { required: true, max: 32 }),
    hardware_rev: text(['硬件版本', 'Hardware revision'], { required: true, max: 16 }),
    mac_base: mac(['起始MAC', 'Base MAC'], { required: true }),
    mac_count: int(['MAC数量', 'MAC count'], { default: 8, min: 1, max: 64 }),
    region: choice(['销售区域', 'Sales region'], { cn: ['中国', 'China'], intl: ['国际', 'International'] }, { default: 'cn' }),
    default_lan: interfaceAddress(['默认LAN地址', 'Default LAN address'], { default: '192.168.10.1/24' }),
    produced_at: time(['生产日期', 'Production date']),
    burn_in: bool(['老化测试通过', 'Burn-in passed'], { default: false }),
  },
});
