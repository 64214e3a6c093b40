import { acuStates, modemStates, satNetworks } from '../../choices.ts';
import { choice, int, longText, ref, text, time } from '../../kit/field.ts';
import { log } from '../../kit/page.ts';

export const satelliteRouteSignalLog = log('satellite_route_signal_log', {
  title: ['信号日志', 'Signal log'],
  summary: [
    '定期及事件触发记录信号、对星和位置数据，供与网管中心共同分析故障。',
    'Periodic and event samples of signal, pointing and position, for fault analysis with the NOC.',
  ],
  fields: {
    time: time(['时间', 'Time']),
    sat_network: choice(['卫星网', 'Satellite network'], satNetworks),
    beam: ref(['波束', 'Beam'], 'satellite_route_beam'),
    event: choice(['事件', 'Event'], {
      sample: ['定时采样', 'Sample'],
      in_network: ['入网', 'Entered network'],
      out_network: ['脱网', 'Left network'],
      beam_switch: ['波束切换', 'Beam switch'],
      blocked: ['进入遮挡', 'Blocked'],
      cleared: ['离开遮挡', 'Blockage cleared'],
      opt_change: ['OPT变更', 'OPT change'],
      tx_mute: ['发射静默', 'Transmit muted'],
    }),
    modem_state: choice(['调制解调器状态', 'Modem state'], modemStates),
    acu_state: choice(['天线状态', 'Antenna state'], acuStates),
    rx_snr: text(['接收信噪比（dB）', 'Receive SNR (dB)']),
    tx_power: text(['发射功率（dBm）', 'Transmit power (dBm)']),
    agc: int(['AGC', 'AGC']),
    azimuth: text(['方位角（°）', 'Azimuth (°)']),
    elevation: text(['俯仰角（°）', 'Elevation (°)']),
    heading: text(['航向（°）', 'Heading (°)']),
    latitude: text(['纬度', 'Latitude']),
    longitude: text(['经度', 'Longitude']),
    detail: longText(['说明', 'Detail']),
  },
});
