import { radioBands } from '../../choices.ts';
import { bool, choice, int, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';

export const acRadio = list('ac_radio', {
  title: ['射频模板', 'Radio profiles'],
  summary: ['针对钢质船体覆盖，设置信道、频宽、功率和终端门限。', 'Channel, width, power and client thresholds for steel-hull coverage.'],
  key: 'name',
  maxRows: 32,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    band: choice(['频段', 'Band'], radioBands, { required: true, default: '5g' }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    channel: int(['信道（0自动）', 'Channel (0 = auto)'], { required: true, default: 0, min: 0, max: 233 }),
    width: choice(
      ['频宽', 'Channel width'],
      { '20': ['20 MHz', '20 MHz'], '40': ['40 MHz', '40 MHz'], '80': ['80 MHz', '80 MHz'], '160': ['160 MHz', '160 MHz'] },
      { required: true, default: '20' },
    ),
    auto_power: bool(['自动功率调整', 'Automatic power'], { default: true }),
    tx_power: int(['发射功率', 'Transmit power'], { default: 20, min: 1, max: 30, unit: 'dBm', when: ['auto_power', false] }),
    phy: choice(
      ['无线模式', 'Wireless mode'],
      { n: ['802.11n', '802.11n'], ac: ['802.11ac', '802.11ac'], ax: ['802.11ax', '802.11ax'], be: ['802.11be', '802.11be'] },
      { default: 'ax' },
    ),
    dfs: bool(['使用DFS信道', 'Use DFS channels'], { default: false }),
    beacon: int(['信标间隔', 'Beacon interval'], { default: 100, min: 50, max: 1000, unit: 'TU' }),
    min_rssi: int(['弱信号拒绝接入', 'Refuse clients weaker than'], { default: -80, min: -95, max: -50, unit: 'dBm' }),
    max_clients: int(['最大终端数', 'Maximum clients'], { default: 64, min: 1, max: 255 }),
    airtime: bool(['空口公平', 'Airtime fairness'], { default: true }),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
});
