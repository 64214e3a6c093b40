import { bool, choice, duration, int, ref, text } from '../../kit/field.ts';
import { action } from '../../kit/page.ts';
import { hostName } from '../../kit/patterns.ts';

export const diagnosisSpeedTest = action('diagnosis_speed_test', {
  title: ['链路测速', 'Speed test'],
  summary: ['对单条链路测速，并严格限制消耗的流量。', 'Measures one link with a hard cap on the data spent.'],
  fields: {
    link: ref(['链路', 'Link'], 'network_wan', { required: true }),
    direction: choice(
      ['方向', 'Direction'],
      { both: ['上下行', 'Both'], down: ['下行', 'Download'], up: ['上行', 'Upload'] },
      { default: 'both' },
    ),
    server: text(['测速服务器（空为平台）', 'Server (empty = platform)'], { max: 255, like: hostName }),
    streams: int(['并发流数', 'Streams'], { default: 4, min: 1, max: 16 }),
    duration: duration(['单向时长', 'Time per direction'], { default: 10, min: 3, max: 60, unit: 's' }),
    max_mb: int(['流量上限', 'Data cap'], { required: true, default: 50, min: 1, max: 2000, unit: 'MB' }),
    allow_lband: bool(['允许测试L波段', 'Allow on L-band'], { default: false }),
    confirm: bool(['我了解测速会消耗流量', 'I understand this uses data'], { required: true, default: false }),
  },
});
