/** Option lists of files and their distribution. */
export const fileType = [
  { id: 'config', label: ['配置文件', 'Configuration'], color: 'blue' },
  { id: 'script', label: ['脚本', 'Script'], color: 'purple' },
  { id: 'docker', label: ['Docker镜像', 'Docker image'], color: 'cyan' },
  { id: 'portal', label: ['门户资源', 'Portal resource'], color: 'gold' },
  { id: 'media', label: ['媒体文件', 'Media'], color: 'green' },
  { id: 'other', label: ['其他', 'Other'], color: 'default' },
] as const;
export type FileType = (typeof fileType)[number]['id'];

export const fileOperation = [
  { id: 'none', label: ['仅下发', 'None'], color: 'default' },
  { id: 'install', label: ['安装', 'Install'], color: 'blue' },
  { id: 'decompress', label: ['解压', 'Decompress'], color: 'cyan' },
  { id: 'execute', label: ['执行', 'Execute'], color: 'purple' },
] as const;

export const taskState = [
  { id: 'waiting', label: ['待下发', 'Waiting'], color: 'default' },
  { id: 'running', label: ['下发中', 'Running'], color: 'processing' },
  { id: 'paused', label: ['已暂停', 'Paused'], color: 'gold' },
  { id: 'finished', label: ['已完成', 'Finished'], color: 'green' },
  { id: 'stopped', label: ['已停止', 'Stopped'], color: 'orange' },
] as const;

export type TaskState = (typeof taskState)[number]['id'];

/** Codes of a file at one device, by name. Gateways report them. */
export const fileTaskIds = {
  waiting: 0,
  downloading: 1,
  paused: 2,
  downloaded: 100,
  install_failed: 101,
  decompress_failed: 102,
  executed: 103,
  decompressed: 104,
  installed: 105,
  download_failed: 200,
  aborted: 201,
  missing: 202,
  corrupt: 203,
  deleted: 255,
} as const;

/** spec §4: state of a file at one device. */
export const fileTaskStatus = [
  { id: fileTaskIds.waiting, label: ['等待中', 'Waiting'], color: 'default' },
  { id: fileTaskIds.downloading, label: ['下载中', 'Downloading'], color: 'processing' },
  { id: fileTaskIds.paused, label: ['已暂停', 'Paused'], color: 'gold' },
  { id: fileTaskIds.downloaded, label: ['下载完成', 'Download complete'], color: 'green' },
  { id: fileTaskIds.install_failed, label: ['安装失败', 'Install failed'], color: 'red' },
  { id: fileTaskIds.decompress_failed, label: ['解压失败', 'Decompress failed'], color: 'red' },
  { id: fileTaskIds.executed, label: ['已执行', 'Executed'], color: 'green' },
  { id: fileTaskIds.decompressed, label: ['已解压', 'Decompressed'], color: 'green' },
  { id: fileTaskIds.installed, label: ['已安装', 'Installed'], color: 'green' },
  { id: fileTaskIds.download_failed, label: ['下载失败', 'Download failed'], color: 'red' },
  { id: fileTaskIds.aborted, label: ['已中止', 'Aborted'], color: 'orange' },
  { id: fileTaskIds.missing, label: ['文件不存在', 'File missing'], color: 'volcano' },
  { id: fileTaskIds.corrupt, label: ['文件损坏', 'File corrupt'], color: 'volcano' },
  { id: fileTaskIds.deleted, label: ['已删除', 'Deleted'], color: 'default' },
] as const;
export type FileTaskStatus = (typeof fileTaskStatus)[number]['id'];

/** The file is on the device and its task succeeded. */
export const arrivedStatuses = [
  fileTaskIds.downloaded,
  fileTaskIds.executed,
  fileTaskIds.decompressed,
  fileTaskIds.installed,
] as const satisfies readonly FileTaskStatus[];
export const hasArrived = (status: unknown) => arrivedStatuses.some((one) => one === status);

/** Ended without the file, and not by an operator. */
export const failedStatuses = [
  fileTaskIds.install_failed,
  fileTaskIds.decompress_failed,
  fileTaskIds.download_failed,
  fileTaskIds.missing,
  fileTaskIds.corrupt,
] as const satisfies readonly FileTaskStatus[];
