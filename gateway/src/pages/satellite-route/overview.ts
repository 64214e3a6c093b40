import { acuStates, antennas, modemStates, optStates, satNetworks } from '../../choices.ts';
import { bool, choice, int, ref, span, text, time } from '../../kit/field.ts';
import { status } from '../../kit/page.ts';

export const satelliteRouteOverview = status('satellite_route_overview', {
  title: ['卫星概览', 'Satellite overview'],
  summary: ['按卫星网并列展示调制解调器、天线和波束状态。', 'Modem, antenna and beam state side by side for each satellite network.'],
  fields: {
    sat_network: choice(['卫星网', 'Satellite network'], satNetworks),
    satellite: text(['卫星', 'Satellite']),
    orbital_longitude: text(['轨位（°E）', 'Orbital slot (°E)']),
    beam: ref(['当前波束', 'Current beam'], 'satellite_route_beam'),
    opt_status: choice(['OPT状态', 'OPT status'], optStates),
    opt_version: text(['OPT版本', 'OPT version']),
    modem_state: choice(['调制解调器状态', 'Modem state'], modemStates),
    rx_snr: text(['接收信噪比（dB）', 'Receive SNR (dB)']),
    rx_power: text(['接收功率（dBm）', 'Receive power (dBm)']),
    tx_power: text(['发射功率（dBm）', 'Transmit power (dBm)']),
    tx_allowed: bool(['允许发射', 'Transmit allowed']),
    antenna: choice(['在用天线', 'Antenna in use'], antennas),
    acu_state: choice(['天线状态', 'Antenna state'], acuStates),
    agc: int(['AGC', 'AGC']),
    azimuth: text(['方位角（°）', 'Azimuth (°)']),
    relative_azimuth: text(['相对方位（°）', 'Relative azimuth (°)']),
    elevation: text(['俯仰角（°）', 'Elevation (°)']),
    skew: text(['极化角（°）', 'Skew (°)']),
    heading: text(['航向（°）', 'Heading (°)']),
    latitude: text(['纬度', 'Latitude']),
    longitude: text(['经度', 'Longitude']),
    network_time: span(['本次入网时长', 'Time in network']),
    updated_at: time(['刷新时间', 'Updated']),
  },
});
