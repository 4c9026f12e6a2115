"""A Slurm of one node, on loopback and in a folder of its own, for as long as a `with` lasts."""

import os
import shutil
import socket
import subprocess
import time

CONFIGURATION = """
ClusterName=local
SlurmctldHost={host}(127.0.0.1)
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmctldPort={port}
SlurmdPort={node_port}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SlurmUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000
PartitionName=all Nodes=ALL Default=YES
"""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class LocalSlurm:
    @staticmethod
    def is_possible():
        return os.getuid() == 0 and all(map(shutil.which, ("munged", "slurmctld", "slurmd", "sbatch")))

    def __init__(self, folder):
        self.folder = folder
        for part in ("state", "spool"):
            (folder / part).mkdir(parents=True)
        # munged takes no socket in a folder that others could change.
        folder.chmod(0o755)
        self.configuration = folder / "slurm.conf"
        self.configuration.write_text(CONFIGURATION.format(
            folder=folder, host=socket.gethostname().split(".")[0], port=free_port(), node_port=free_port()))
        self.key = folder / "munge.key"
        self.key.write_bytes(os.urandom(128))
        self.key.chmod(0o400)
        self.daemons = []

    def __enter__(self):
        # --force: folders above this one, like /tmp, may be anybody's.
        self.start("munged", "--foreground", "--force", f"--key-file={self.key}", f"--socket={self.folder}/munge.socket",
                   f"--pid-file={self.folder}/munge.pid", f"--log-file={self.folder}/munge.log",
                   f"--seed-file={self.folder}/munge.seed")
        self.wait_for(lambda: (self.folder / "munge.socket").exists())
        self.start("slurmctld", "-D")
        self.wait_for(lambda: "UP" in self.run(["scontrol", "ping"], check=False))
        self.start("slurmd", "-D")
        self.wait_for(lambda: "idle" in self.run(["sinfo", "--noheader", "--format=%T"], check=False))
        return self

    def __exit__(self, *_):
        for daemon in reversed(self.daemons):
            daemon.terminate()
            daemon.wait()

    def environment(self, more):
        return {**(more or os.environ), "SLURM_CONF": str(self.configuration)}

    def start(self, *command):
        with open(self.folder / f"{command[0]}.log", "w") as log:
            self.daemons.append(subprocess.Popen(command, env=self.environment(None), stdout=log, stderr=log))

    def run(self, command, environment=None, check=True):
        return subprocess.run(command, env=self.environment(environment), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              text=True, check=check).stdout.strip()

    def wait_for(self, condition):
        for _ in range(600):
            if condition():
                return
            time.sleep(0.1)
        raise TimeoutError(f"Slurm does not come up; its logs are in {self.folder}")

    def wait(self):
        """Until nothing is queued any more. A task that was put back waits for two minutes (its begin time): not here."""
        def is_empty():
            for task in self.run(["squeue", "--noheader", "--states=PENDING", "--format=%i %r"]).splitlines():
                if task.endswith("BeginTime"):
                    self.run(["scontrol", "update", f"JobId={task.split()[0]}", "StartTime=now"], check=False)
            return not self.run(["squeue", "--noheader"])
        self.wait_for(is_empty)
