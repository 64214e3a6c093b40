import type { JsonObject } from '../../../protocol/shape.ts';
import { advancedCloudPlatform } from '../../advanced/cloud-platform.ts';
import { advancedDeviceInfo } from '../../advanced/device-info.ts';
import type { GuideWriter } from './guide-writer.ts';

export const writePlatformBinding = (values: JsonObject, writer: GuideWriter) => {
  writer.form(
    advancedCloudPlatform,
    {
      host: 'platform_host',
      port: 'platform_port',
      tls: 'tls',
      merchant_code: 'merchant_code',
      device_key: 'device_key',
      billing_mode: 'billing_mode',
      restore_backup: 'restore_backup',
    },
    { enabled: true },
  );
  if (values.device_name !== undefined) writer.form(advancedDeviceInfo, { device_name: 'device_name' });
};
