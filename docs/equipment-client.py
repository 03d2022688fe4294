"""A computer of the Equipment API: keeps lines on disk until the service has them, and applies what it has to know."""
import json, random, sqlite3, time, urllib.error, urllib.request, uuid
from datetime import datetime, timezone

now = lambda: datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")

class Computer:
    def __init__(self, service, file, host=None):  # host: of the tenant, where the service has another address
        self.service, self.host = service, host
        self.db = sqlite3.connect(file, isolation_level=None)
        self.db.executescript("""pragma journal_mode = wal; pragma synchronous = full;
            create table if not exists memory (name text primary key, value text);
            create table if not exists lines (stream text, n integer, line text, primary key (stream, n));""")

    def recall(self, name, default=None):
        row = self.db.execute("select value from memory where name = ?", [name]).fetchone()
        return row[0] if row else default

    def remember(self, name, value):
        self.db.execute("insert or replace into memory values (?, ?)", [name, str(value)])

    def call(self, method, path, body=None, media_type="application/json"):
        headers = {"Content-Type": media_type, **({"Host": self.host} if self.host else {})}
        if self.recall("key"): headers["Authorization"] = "Bearer " + self.recall("key")
        request = urllib.request.Request(self.service + path, body, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=90) as answer: return answer.status, answer.read().decode()
        except urllib.error.HTTPError as problem: return problem.code, problem.read().decode()
        except OSError: return 0, "{}"  # no answer: what was sent may have arrived

    def enrol(self, code, serial, software="1.0"):
        body = json.dumps({"code": code, "serial": serial, "software": software}).encode()
        status, text = self.call("POST", "/equipment/v1/enrol", body)
        if status != 200: raise RuntimeError(text)
        self.remember("key", json.loads(text)["key"])

    def record(self, stream, **line):  # when this returns, no loss of power loses the line
        self.db.execute("begin immediate")
        n = int(self.recall(stream + ".n", 0)) + 1
        self.remember(stream + ".n", n)
        self.db.execute("insert into lines values (?, ?, ?)", [stream, n, json.dumps({"n": n, "at": now(), **line})])
        self.db.execute("commit")

    def send(self, stream):  # returns whether nothing is left to send
        lines = self.db.execute("select n, line from lines where stream = ? order by n limit 500", [stream]).fetchall()
        if not lines: return True
        epoch = self.recall(stream + ".epoch") or uuid.uuid4().hex
        self.remember(stream + ".epoch", epoch)
        header = {"epoch": epoch, "first": lines[0][0], "sentAt": now(), "software": "1.0"}
        body = "\n".join([json.dumps(header), *(line for _, line in lines)]).encode()
        status, text = self.call("POST", "/equipment/v1/streams/" + stream, body, "application/jsonl")
        if status == 200:  # committed: these lines are never needed again
            self.db.execute("delete from lines where stream = ? and n <= ?", [stream, json.loads(text)["through"]])
            return self.send(stream)
        if status == 409:  # "unknown-epoch": this computer has a new memory
            self.call("POST", f"/equipment/v1/streams/{stream}/epoch", json.dumps({"epoch": epoch, "reason": "start"}).encode())
        return False  # send again later: the service knows what it has

    def follow(self, apply, wait=55):  # applies all changes that there are, and confirms each
        if self.recall("version") is None:
            *things, end = map(json.loads, self.call("GET", "/equipment/v1/snapshot")[1].splitlines())
            for thing in things: apply(thing)
            self.remember("version", end["version"])
            self.record("samples", t="applied", snapshot=end["version"], ok=True)
        status, text = self.call("GET", f"/equipment/v1/desired?after={self.recall('version')}&wait={wait}")
        if status == 410: self.db.execute("delete from memory where name = 'version'")
        if status != 200: return
        for change in json.loads(text)["changes"]:
            self.record("samples", t="applied", v=change["v"], **(apply(change) or {"ok": True}))
        self.remember("version", json.loads(text)["version"])

    def run(self, apply):
        failures = 0
        while True:
            failures = 0 if self.send("money") and self.send("samples") else failures + 1
            self.follow(apply, wait=5)
            time.sleep(random.random() * min(60, 2 ** failures) if failures else 0)
