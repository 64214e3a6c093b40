import { logLevels } from '../../choices.ts';
import { bool, choice, duration, text } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';
import { latitude, longitude } from '../../kit/patterns.ts';

export const hiddenDebug = form('hidden_debug', {
  title: ['调试开关', 'Debug'],
  summary: ['开发调试跟踪，到时自动关闭。', 'Developer tracing that turns off automatically.'],
  hidden: true,
  fields: {
    enabled: bool(['启用', 'Enabled'], { default: false }),
    auto_off: duration(['自动关闭', 'Turn off after'], { required: true, default: 60, min: 5, max: 1440, unit: 'min' }),
    level: choice(['调试级别', 'Level'], logLevels, { default: 'debug' }),
    trace_link: bool(['链路切换', 'Link change'], { default: false }),
    trace_arbiter: bool(['仲裁', 'Arbiter'], { default: false }),
    trace_fence: bool(['围栏', 'Fence'], { default: false }),
    trace_modem: bool(['调制解调器报文', 'Modem messages'], { default: false }),
    trace_acu: bool(['ACU报文', 'ACU messages'], { default: false }),
    trace_portal: bool(['Portal', 'Portal'], { default: false }),
    trace_cloud: bool(['平台通信', 'Platform messages'], { default: false }),
    core_dump: bool(['保存崩溃转储', 'Keep core dumps'], { default: false }),
    simulate_position: bool(['模拟位置', 'Simulate position'], { default: false }),
    sim_lat: text(['模拟纬度', 'Simulated latitude'], { required: true, max: 12, like: latitude, when: ['simulate_position', true] }),
    sim_lon: text(['模拟经度', 'Simulated longitude'], { required: true, max: 12, like: longitude, when: ['simulate_position', true] }),
  },
});
