import { brokerAddress } from './broker-address.ts';
import { type Env, number, optional, pemFile, setting, text, url } from './setting.ts';

/** The endpoint of this process for gateways, and an external broker. */
export const mqttSettings = {
  mqttPort: setting(
    'MQTT_PORT',
    'TCP port of the MQTT endpoint for gateways; 0 selects a free port; default: 1883, or 8883 with a certificate',
    optional(number(0, 65_535)),
  ),
  mqttHost: setting('MQTT_HOST', 'Listen address of the MQTT endpoint for gateways', text, '0.0.0.0'),
  mqttTlsCert: setting(
    'MQTT_TLS_CERT',
    'PEM file of the certificate chain of the MQTT endpoint; without it, MQTT runs without TLS',
    optional(text),
  ),
  mqttTlsKey: setting('MQTT_TLS_KEY', 'PEM file of the private key of MQTT_TLS_CERT', optional(text)),
  mqttTlsCa: setting(
    'MQTT_TLS_CA',
    'PEM file of the CA for client certificates; a gateway with such a certificate (CN = SN) needs no key',
    optional(pemFile),
  ),
  brokerUrl: setting(
    'BROKER_URL',
    'mqtt(s)://user:password@host:port of an external MQTT 5 broker for gateways; MQTT_PORT then opens only if set too',
    optional(url('mqtt:', 'mqtts:')),
  ),
  brokerCa: setting('BROKER_CA', 'PEM file of CA certificates for the broker', optional(pemFile)),
  brokerPasswordFile: setting(
    'BROKER_PASSWORD_FILE',
    'Mosquitto password file that the console maintains, with the console and each gateway that has a key',
    optional(text),
  ),
};

export const mqttConfig = (env: Env) => {
  const { mqttPort, mqttHost, mqttTlsCa, brokerCa, brokerPasswordFile } = mqttSettings;
  const cert = mqttSettings.mqttTlsCert.in(env);
  const key = mqttSettings.mqttTlsKey.in(env);
  const brokerUrl = mqttSettings.brokerUrl.in(env);
  return {
    mqtt: Object.freeze({
      port: mqttPort.in(env) ?? (cert ? 8883 : 1883),
      /** The port was set explicitly, so it must be available. */
      isExplicit: mqttPort.in(env) !== undefined,
      host: mqttHost.in(env),
      tls: cert && key ? Object.freeze({ cert, key, ca: mqttTlsCa.in(env) }) : undefined,
    }),
    broker: brokerUrl
      ? Object.freeze({
          address: Object.freeze({ ...brokerAddress(brokerUrl), ca: brokerCa.in(env) }),
          passwordFile: brokerPasswordFile.in(env),
        })
      : undefined,
  };
};

export const mqttFaults = (env: Env, has: (s: { name: string }) => boolean): string[] => {
  const { brokerUrl, brokerCa, brokerPasswordFile, mqttTlsCa, mqttTlsCert, mqttTlsKey } = mqttSettings;
  const faults: string[] = [];
  if (!has(brokerUrl) && (has(brokerCa) || has(brokerPasswordFile))) faults.push('BROKER_CA and BROKER_PASSWORD_FILE need BROKER_URL.');
  if (has(brokerPasswordFile) && URL.canParse(env[brokerUrl.name] ?? '') && !brokerAddress(env[brokerUrl.name] ?? '').password)
    faults.push('BROKER_PASSWORD_FILE needs a user and a password in BROKER_URL.');
  if (has(mqttTlsCa) && !has(mqttTlsCert)) faults.push('MQTT_TLS_CA needs MQTT_TLS_CERT.');
  if (has(mqttTlsCert) !== has(mqttTlsKey)) faults.push('MQTT_TLS_CERT and MQTT_TLS_KEY need each other.');
  return faults;
};
